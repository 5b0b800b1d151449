import type { FastifyRequest } from 'fastify';
import { plannedOwnersRefusalOf } from '../../commands/expectOwners.ts';
import { cellTextOf } from '../../contracts/csv.ts';
import { userId as userIdOf } from '../../contracts/fields.ts';
import { updateUser } from '../../contracts/users.ts';
import { caseless } from '../../domain/caseless.ts';
import type { UserCommand } from '../../domain/customer/commands.ts';
import { customerDecider } from '../../domain/customer/decider.ts';
import { type Customer, type User, userByUsername } from '../../domain/customer/state.ts';
import { decideInOrder } from '../../domain/decider.ts';
import type { EventMeta } from '../../domain/event.ts';
import type { CustomerId } from '../../domain/ids.ts';
import type { HttpDeps } from '../deps.ts';
import { USER_COLUMNS } from '../listExport.ts';
import { keepOwners, userStatusCommand } from '../portalMembers.ts';
import { HttpProblem } from '../problems/problems.ts';
import { accepted } from '../replies.ts';
import { asChoice, asText, type CellFields, fieldsOf } from './cells.ts';
import { type FileLine, valueIn } from './csvFile.ts';
import {
  changedCells,
  checked,
  columnBy,
  differingColumns,
  type Importer,
  type PlannedLine,
  refuseColumn,
  UNCHANGED,
} from './line.ts';
import { importedCustomers } from './owners.ts';

const FIELDS: CellFields = {
  username: ['username', asText],
  email: ['email', asText],
  role: ['role', asChoice],
  status: ['status', asChoice],
};
const CHANGEABLE = Object.keys(FIELDS);
/** The columns of an exported file, and those that name the customer by its external id. */
const COLUMNS = [...Object.keys(USER_COLUMNS), 'customer_external_id', 'service_integrator_id'];

const cellsOf = ({ username, email, role, status }: User): Readonly<Record<string, string>> => ({
  username: cellTextOf(username),
  email: cellTextOf(email),
  role,
  status,
});

/**
 * Reads lines of users: those with an id, or with a username that the customer has, are changed, the others are registered. In a dry
 * run, each line is decided on what the lines before it would have done, as they share seats.
 */
export const userImporter = (deps: HttpDeps, request: FastifyRequest, isDryRun: boolean): Importer => {
  const { commands } = deps;
  const customers = importedCustomers(deps, request);
  const dryRunStates = new Map<CustomerId, Customer>();

  const customerOf = async (line: FileLine, id: string | undefined): Promise<Customer> => {
    const columns = { id: 'customer_id', externalId: 'customer_external_id' };
    if (id && !valueIn(line, columns.id) && !valueIn(line, columns.externalId)) {
      const known = userIdOf.safeParse(id);
      const owner = known.success ? await request.queries.users.owner(known.data) : null;
      if (!owner) return refuseColumn('id', 'There is no user with this ID. Leave it empty to create one');
      line = { ...line, cells: { ...line.cells, customer_id: owner.customerId } };
    }
    const found = await customers.find(line, columns);
    if (!found)
      return refuseColumn(
        columns.id,
        'There is no customer with this ID or external ID. Correct customer_id or customer_external_id',
      );
    return dryRunStates.get(found.state.customerId) ?? found.state;
  };

  /** The state after commands; the same one if they change nothing. Throws the refusal. */
  const stateAfter = (customer: Customer, wanted: readonly UserCommand[]): Customer => {
    const decision = decideInOrder(customerDecider, wanted, customer);
    if (!decision.accepted) throw new HttpProblem(decision.refusal);
    return decision.events.length === 0 ? customer : (decision.state as Customer);
  };

  /** A line that is not refused. In a dry run, the lines after it are decided on the state that it leads to. */
  const planned = (after: Customer, line: PlannedLine): PlannedLine => {
    if (isDryRun) dryRunStates.set(after.customerId, after);
    return line;
  };

  const statusChange = (
    ids: { customerId: CustomerId; userId: User['userId'] },
    status: User['status'] | undefined,
    meta: EventMeta,
  ) => (status ? [{ type: userStatusCommand[status], data: { ...ids, reason: null }, meta } as const] : []);

  const planNew = (line: FileLine, customer: Customer, meta: EventMeta): PlannedLine => {
    const { username, email, role, status } = checked(updateUser, fieldsOf(line, FIELDS));
    const ids = { customerId: customer.customerId, userId: userIdOf.parse(deps.newId()) };
    const register = { type: 'RegisterUser', data: { ...ids, username, email, role, machineId: null }, meta } as const;
    const all: UserCommand[] = [register, ...statusChange(ids, status === 'active' ? undefined : status, meta)];
    const run = async () => void accepted(await commands.customers.handle(all));
    return planned(stateAfter(customer, all), { effect: 'created', changes: [], run });
  };

  const planChange = async (line: FileLine, customer: Customer, user: User, meta: EventMeta): Promise<PlannedLine> => {
    const before = cellsOf(user);
    const different = differingColumns(line, before, CHANGEABLE);
    if (different.length === 0) return UNCHANGED;
    const present = { username: user.username, email: user.email, role: user.role };
    const { username, email, role, status } = checked(updateUser, { ...present, ...fieldsOf(line, FIELDS, different) });
    const ids = { customerId: customer.customerId, userId: user.userId };
    const all: UserCommand[] = [
      { type: 'ExpectUser', data: { ...ids, ...present, status: user.status }, meta },
      { type: 'ChangeUserDetails', data: { ...ids, username, email }, meta },
      { type: 'ChangeUserRole', data: { ...ids, role }, meta },
      ...statusChange(ids, status, meta),
    ];
    const after = stateAfter(customer, all);
    if (after === customer) return UNCHANGED;
    const isLeaving = status !== undefined && status !== 'active' && status !== user.status;
    const isDemotion = role !== user.role;
    const isSuspension = status === 'suspended' && !isDemotion;
    const owners = isLeaving || isDemotion ? { ...ids, role: isLeaving ? null : role, isSuspension } : null;
    const refusal = isDryRun && owners ? await plannedOwnersRefusalOf(commands, customer, owners, meta) : null;
    if (refusal) throw new HttpProblem(refusal);
    const run = async (): Promise<void> => {
      if (owners) await keepOwners(deps, meta, owners);
      accepted(await commands.customers.handle(all));
    };
    const changed = after.users.get(user.userId);
    const changes = changedCells(before, changed ? cellsOf(changed) : {}, CHANGEABLE);
    return planned(after, { effect: 'changed', changes, run });
  };

  return {
    columns: COLUMNS,
    isCumulative: true,
    columnOf: columnBy(COLUMNS, FIELDS),
    nameOf: (line) => valueIn(line, 'username') ?? '',
    keysOf: (line) => {
      const id = valueIn(line, 'id')?.toLowerCase();
      if (id) return [['id', id]];
      const customer = [valueIn(line, 'customer_id'), valueIn(line, 'customer_external_id')].join(' ').toLowerCase();
      return [['username', `${customer} ${caseless(valueIn(line, 'username') ?? '')}`]];
    },
    plan: async (line, meta) => {
      const id = valueIn(line, 'id');
      const customer = await customerOf(line, id);
      const { data: userId } = userIdOf.safeParse(id);
      const user = userId && customer.users.get(userId);
      if (id && !user) return refuseColumn('id', 'There is no user with this ID. Leave it empty to create one');
      const known = user ?? userByUsername(customer, valueIn(line, 'username') ?? '');
      return known ? planChange(line, customer, known, meta) : planNew(line, customer, meta);
    },
  };
};
