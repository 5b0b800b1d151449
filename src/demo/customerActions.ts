import { recordUserActivity } from '../commands/activity.ts';
import { enrolCustomer } from '../commands/enrolCustomer.ts';
import { credentialId, userId } from '../contracts/fields.ts';
import { machineRequestId } from '../contracts/machines.ts';
import type { CustomerCommand } from '../domain/customer/commands.ts';
import { NO_RECORDS } from '../domain/customer/records.ts';
import type { Actor, EventMeta } from '../domain/event.ts';
import type { CustomerId, UserId } from '../domain/ids.ts';
import { type DatedAction, must, type SeedContext } from './datedActions.ts';
import type { NewIntegrator } from './integratorActions.ts';
import { type DemoPlans, licenseOf, termOf } from './plans.ts';
import { type CustomerSpec, newMachineId, type UserSpec } from './specs.ts';
import { type Timeline, timelineOf, type UserTimeline } from './timeline.ts';

/** A customer that the demo creates. */
type NewCustomer = Readonly<{
  context: SeedContext;
  spec: CustomerSpec;
  timeline: Timeline;
  customerId: CustomerId;
  integrator: NewIntegrator;
  plans: DemoPlans;
  licenseKey: string;
}>;

/** A sign-in of a user with the command-line tool. */
export type ToolSignIn = Readonly<{ daysAgo: number; userId: UserId }>;

/** The actions of a customer, and what they create. */
export type CustomerActions = Readonly<{
  /** Runs with the actions of its integrator, because it also appends to the integrator's stream. */
  registration: DatedAction;
  /** All actions after the registration. */
  later: readonly DatedAction[];
  /** After all others, sign-ins too. */
  term: readonly DatedAction[];
  toolSignIns: readonly ToolSignIn[];
  firstUser: UserId;
}>;

const MINUTE = 1 / 1440;

const handling =
  ({ product }: SeedContext, what: string, command: (meta: EventMeta) => CustomerCommand): DatedAction['run'] =>
  async (meta) =>
    void must(await product.commands.customers.handle(command(meta)), what);

const registrationOf = ({ context, spec, customerId, integrator, plans, licenseKey }: NewCustomer): DatedAction => ({
  daysAgo: spec.sinceDaysAgo,
  run: async (meta) => {
    const outcome = await enrolCustomer(context.product.commands, {
      type: 'RegisterCustomer',
      data: {
        customerId,
        integratorId: integrator.id,
        name: spec.name,
        contactEmail: `it@${spec.domain}`,
        company: spec.name,
        licenseKey,
        developerSeats: spec.developerSeats,
        stakeholderSeats: spec.stakeholderSeats,
        seatLimitsEnforced: false,
        theme: spec.theme === null ? null : { theme: spec.theme, source: 'explicit' },
        records: { ...NO_RECORDS, tags: spec.tags },
        ...licenseOf(plans, spec),
      },
      meta,
    });
    must(outcome, 'register a customer');
  },
});

const userActions = ({ context, customerId }: NewCustomer, user: UserSpec, id: UserId, times: UserTimeline): DatedAction[] => {
  const { registered, lastSignIn, deactivated } = times;
  const target = { customerId, userId: id };
  const { username, email, role, machineId, machineName, status, statusReason } = user;
  const actions: DatedAction[] = [
    {
      daysAgo: registered,
      run: handling(context, 'register a user', (meta) => ({
        type: 'RegisterUser',
        data: { ...target, username, email, role, machineId, machineName },
        meta,
      })),
    },
  ];
  if (lastSignIn !== null) {
    actions.push({
      daysAgo: lastSignIn,
      actor: { kind: 'user', id, method: 'key' },
      run: async (meta) => {
        await recordUserActivity(context.product.events, { type: 'UserAuthenticated', data: target }, meta);
      },
    });
  }
  if (deactivated === null) return actions;
  const type = status === 'inactive' ? 'DeactivateUser' : 'SuspendUser';
  return [
    ...actions,
    {
      daysAgo: deactivated,
      run: handling(context, `make a user ${status}`, (meta) => ({ type, data: { ...target, reason: statusReason }, meta })),
    },
  ];
};

/** The customer's credentials for the services that it calls; one of them may fail its test. */
const credentialActions = ({ context, spec, timeline, customerId }: NewCustomer): DatedAction[] => {
  const { product } = context;
  return spec.instances.flatMap(({ service, instanceUrl }, index) => {
    const target = { credentialId: credentialId.parse(product.newId()), customerId };
    const works = index === 0 || spec.errorRate < 0.03;
    const secrets = {
      username: `bot@${spec.domain}`,
      password: product.newId(),
      apiToken: service === 'jira' ? product.newId() : null,
    };
    return [
      {
        daysAgo: timeline.credentialsStored,
        run: async (meta: EventMeta) => {
          const data = { ...target, service, instanceUrl, ...secrets, expiresAt: null };
          must(await product.commands.credentials.handle({ type: 'StoreCredential', data, meta }), 'store a credential');
        },
      },
      {
        daysAgo: timeline.credentialsTested,
        run: async (meta: EventMeta) => {
          const detail = works ? 'Signed in.' : 'The username or the token is wrong (401).';
          const data = { ...target, ok: works, detail, durationMs: 240, revisions: 0 };
          must(await product.commands.credentials.handle({ type: 'RecordCredentialTest', data, meta }), 'test a credential');
        },
      },
    ];
  });
};

/** Changes of the customer after its registration. */
const licenseActions = ({ context, spec, timeline, customerId, integrator }: NewCustomer): DatedAction[] => {
  const { sinceDaysAgo, status, brand, endReason } = spec;
  const actions: DatedAction[] = [
    {
      daysAgo: Math.min(40, sinceDaysAgo * 0.3),
      run: handling(context, 'enforce seat limits', (meta) => ({ type: 'EnforceSeatLimits', data: { customerId }, meta })),
    },
  ];
  const theme = brand === null ? undefined : integrator.themes.get(brand);
  if (theme) {
    actions.push({
      daysAgo: Math.min(60, sinceDaysAgo * 0.5),
      run: handling(context, 'assign a theme', (meta) => ({
        type: 'AssignTheme',
        data: { customerId, theme, source: 'explicit' },
        meta,
      })),
    });
  }
  if (status === 'suspended') {
    const data = { customerId, reason: endReason };
    actions.push({
      daysAgo: timeline.ended,
      run: handling(context, 'suspend', (meta) => ({ type: 'SuspendCustomer', data, meta })),
    });
  }
  if (status === 'churned') {
    const data = { customerId, reason: endReason };
    actions.push({ daysAgo: timeline.ended, run: handling(context, 'churn', (meta) => ({ type: 'ChurnCustomer', data, meta })) });
  }
  return actions;
};

/** The term is set by the last action of a customer: a policy records its steps now, and the history is in the order of times. */
const termActions = ({ context, spec, timeline, customerId, plans }: NewCustomer): DatedAction[] => {
  const term = termOf(context, plans, spec);
  if (!term) return [];
  const data = { customerId, ...term };
  const daysAgo = Math.max(72 * MINUTE, timeline.ended - 72 * MINUTE);
  return [{ daysAgo, run: handling(context, 'set a term', (meta) => ({ type: 'SetLicenseTerm', data, meta })) }];
};

/** A second machine of a user, which the customer approves or rejects. */
const machineActions = (
  { context, spec, customerId }: NewCustomer,
  user: UserSpec,
  id: UserId,
  { registered }: UserTimeline,
): DatedAction[] => {
  if (spec.status !== 'active' || user.status !== 'active' || user.secondMachine === null) return [];
  const requestId = machineRequestId.parse(context.product.newId());
  const machineId = newMachineId(context.random);
  const { name: machineName, isApproved } = user.secondMachine;
  const target = { customerId, userId: id, requestId };
  const requested = registered * 0.3;
  return [
    {
      daysAgo: requested,
      actor: { kind: 'user', id, method: 'key' },
      run: handling(context, 'request approval of a machine', (meta) => ({
        type: 'RequestMachineApproval',
        data: { ...target, machineId, machineName },
        meta,
      })),
    },
    {
      daysAgo: requested - 6 * MINUTE,
      actor: { kind: 'customer', id: customerId },
      run: handling(context, 'decide on a machine', (meta) => ({
        type: isApproved ? 'ApproveMachine' : 'RejectMachine',
        data: { ...target, approvingMachineId: null },
        meta,
      })),
    },
  ];
};

/** The request to delete the account, and its withdrawal. */
const deletionActions = ({ context, spec, customerId }: NewCustomer): DatedAction[] => {
  if (spec.deletionRequest === null) return [];
  const { daysAgo, isWithdrawn } = spec.deletionRequest;
  const actor: Actor = { kind: 'customer', id: customerId };
  const requested: DatedAction = {
    daysAgo,
    actor,
    run: handling(context, 'request a deletion', (meta) => ({ type: 'RequestAccountDeletion', data: { customerId }, meta })),
  };
  const withdrawn: DatedAction = {
    daysAgo: daysAgo - 90 * MINUTE,
    actor,
    run: handling(context, 'withdraw a deletion', (meta) => ({ type: 'WithdrawAccountDeletion', data: { customerId }, meta })),
  };
  return isWithdrawn ? [requested, withdrawn] : [requested];
};

/** All actions of a customer with their times. Throws if it has no users. */
export const customerActionsOf = (given: Omit<NewCustomer, 'timeline'>): CustomerActions => {
  const { context, spec } = given;
  const customer: NewCustomer = { ...given, timeline: timelineOf(context.random, spec) };
  const users = spec.users.flatMap((user, index) => {
    const times = customer.timeline.users[index];
    return times ? [{ user, id: userId.parse(context.product.newId()), times }] : [];
  });
  const [first] = users;
  if (!first) throw new Error(`${spec.name} has no users`);
  return {
    registration: registrationOf(customer),
    later: [
      ...users.flatMap(({ user, id, times }) => [
        ...userActions(customer, user, id, times),
        ...machineActions(customer, user, id, times),
      ]),
      ...credentialActions(customer),
      ...licenseActions(customer),
      ...deletionActions(customer),
    ],
    term: termActions(customer),
    toolSignIns: users.flatMap(({ id, times: { lastSignIn } }) =>
      lastSignIn === null ? [] : [{ daysAgo: lastSignIn, userId: id }],
    ),
    firstUser: first.id,
  };
};
