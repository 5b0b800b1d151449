import { recordUserActivity } from '../commands/activity.ts';
import { enrolCustomer } from '../commands/enrolCustomer.ts';
import { credentialId, userId } from '../contracts/fields.ts';
import { machineRequestId } from '../contracts/machines.ts';
import type { CustomerCommand } from '../domain/customer/commands.ts';
import type { Actor, EventMeta } from '../domain/event.ts';
import type { CustomerId, UserId } from '../domain/ids.ts';
import { type CastCustomer, type CastUser, newMachineId } from './cast.ts';
import type { Reseller } from './integratorPast.ts';
import { must, type PastAction, type Stage } from './stage.ts';
import { type Timeline, timelineOf, type UserTimeline } from './timeline.ts';

type Past = Readonly<{
  stage: Stage;
  cast: CastCustomer;
  timeline: Timeline;
  customerId: CustomerId;
  reseller: Reseller;
  licenseKey: string;
}>;

/** A user signed in with the command-line tool. */
export type ToolSignIn = Readonly<{ daysAgo: number; userId: UserId }>;

export type CustomerPast = Readonly<{
  /** Belongs to the past of its integrator, whose stream it is written to as well. */
  registration: PastAction;
  /** Everything after the registration. */
  later: readonly PastAction[];
  toolSignIns: readonly ToolSignIn[];
  firstUser: UserId;
}>;

/** As for every request of a machine that may not sign in yet. */
const ANYBODY: Actor = { kind: 'system', id: 'sign-in' };
const MINUTE = 1 / 1440;

const handling =
  ({ product }: Stage, what: string, command: (meta: EventMeta) => CustomerCommand): PastAction['run'] =>
  async (meta) =>
    void must(await product.commands.customers.handle(command(meta)), what);

const registrationOf = ({ stage, cast, customerId, reseller, licenseKey }: Past): PastAction => ({
  daysAgo: cast.sinceDaysAgo,
  run: async (meta) => {
    const outcome = await enrolCustomer(stage.product.commands, {
      type: 'RegisterCustomer',
      data: {
        customerId,
        integratorId: reseller.id,
        name: cast.name,
        contactEmail: `it@${cast.domain}`,
        company: cast.name,
        licenseKey,
        developerSeats: cast.developerSeats,
        stakeholderSeats: cast.stakeholderSeats,
        seatLimitsEnforced: false,
        theme: cast.theme === null ? null : { theme: cast.theme, source: 'explicit' },
      },
      meta,
    });
    must(outcome, 'register a customer');
  },
});

const userActions = ({ stage, customerId }: Past, user: CastUser, id: UserId, times: UserTimeline): PastAction[] => {
  const { registered, lastSignIn, deactivated } = times;
  const target = { customerId, userId: id };
  const { username, email, role, machineId, status, statusReason } = user;
  const actions: PastAction[] = [
    {
      daysAgo: registered,
      run: handling(stage, 'register a user', (meta) => ({
        type: 'RegisterUser',
        data: { ...target, username, email, role, machineId },
        meta,
      })),
    },
  ];
  if (lastSignIn !== null) {
    actions.push({
      daysAgo: lastSignIn,
      actor: { kind: 'user', id },
      run: async (meta) => {
        await recordUserActivity(stage.product.events, { type: 'UserAuthenticated', data: target }, meta);
      },
    });
  }
  if (deactivated === null) return actions;
  const type = status === 'inactive' ? 'DeactivateUser' : 'SuspendUser';
  return [
    ...actions,
    {
      daysAgo: deactivated,
      run: handling(stage, `make a user ${status}`, (meta) => ({ type, data: { ...target, reason: statusReason }, meta })),
    },
  ];
};

/** What the customer signs in with at the services it calls; one of them may have stopped working. */
const credentialActions = ({ stage, cast, timeline, customerId }: Past): PastAction[] => {
  const { product } = stage;
  return cast.instances.flatMap(({ service, instanceUrl }, index) => {
    const target = { credentialId: credentialId.parse(product.newId()), customerId };
    const works = index === 0 || cast.errorRate < 0.03;
    const secrets = {
      username: `bot@${cast.domain}`,
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
const licenseActions = ({ stage, cast, timeline, customerId, reseller }: Past): PastAction[] => {
  const { sinceDaysAgo, status, brand, endReason } = cast;
  const actions: PastAction[] = [
    {
      daysAgo: Math.min(40, sinceDaysAgo * 0.3),
      run: handling(stage, 'enforce seat limits', (meta) => ({ type: 'EnforceSeatLimits', data: { customerId }, meta })),
    },
  ];
  const theme = brand === null ? undefined : reseller.themes.get(brand);
  if (theme) {
    actions.push({
      daysAgo: Math.min(60, sinceDaysAgo * 0.5),
      run: handling(stage, 'assign a theme', (meta) => ({
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
      run: handling(stage, 'suspend', (meta) => ({ type: 'SuspendCustomer', data, meta })),
    });
  }
  if (status === 'churned') {
    const data = { customerId, reason: endReason };
    actions.push({ daysAgo: timeline.ended, run: handling(stage, 'churn', (meta) => ({ type: 'ChurnCustomer', data, meta })) });
  }
  return actions;
};

/** A user's further machines: each asked to sign in and was approved or rejected by the customer. */
const machineActions = (
  { stage, cast, customerId }: Past,
  user: CastUser,
  id: UserId,
  { registered }: UserTimeline,
): PastAction[] => {
  if (cast.status !== 'active' || user.status !== 'active' || user.secondMachine === null) return [];
  const requestId = machineRequestId.parse(stage.product.newId());
  const machineId = newMachineId(stage.random);
  const { name: machineName, isApproved } = user.secondMachine;
  const target = { customerId, userId: id, requestId };
  const requested = registered * 0.3;
  return [
    {
      daysAgo: requested,
      actor: ANYBODY,
      run: handling(stage, 'request approval of a machine', (meta) => ({
        type: 'RequestMachineApproval',
        data: { ...target, machineId, machineName },
        meta,
      })),
    },
    {
      daysAgo: requested - 6 * MINUTE,
      actor: { kind: 'customer', id: customerId },
      run: handling(stage, 'decide on a machine', (meta) => ({
        type: isApproved ? 'ApproveMachine' : 'RejectMachine',
        data: { ...target, approvingMachineId: null },
        meta,
      })),
    },
  ];
};

/** A customer that requested the deletion of its account, or withdrew the request. */
const deletionActions = ({ stage, cast, customerId }: Past): PastAction[] => {
  if (cast.deletionRequest === null) return [];
  const { daysAgo, isWithdrawn } = cast.deletionRequest;
  const actor: Actor = { kind: 'customer', id: customerId };
  const requested: PastAction = {
    daysAgo,
    actor,
    run: handling(stage, 'request a deletion', (meta) => ({ type: 'RequestAccountDeletion', data: { customerId }, meta })),
  };
  const withdrawn: PastAction = {
    daysAgo: daysAgo - 90 * MINUTE,
    actor,
    run: handling(stage, 'withdraw a deletion', (meta) => ({ type: 'WithdrawAccountDeletion', data: { customerId }, meta })),
  };
  return isWithdrawn ? [requested, withdrawn] : [requested];
};

/** Everything that happened to a customer, placed in time. */
export const customerPastOf = (given: Omit<Past, 'timeline'>): CustomerPast => {
  const { stage, cast } = given;
  const past: Past = { ...given, timeline: timelineOf(stage.random, cast) };
  const users = cast.users.flatMap((user, index) => {
    const times = past.timeline.users[index];
    return times ? [{ user, id: userId.parse(stage.product.newId()), times }] : [];
  });
  const [first] = users;
  if (!first) throw new Error(`${cast.name} has no users`);
  return {
    registration: registrationOf(past),
    later: [
      ...users.flatMap(({ user, id, times }) => [...userActions(past, user, id, times), ...machineActions(past, user, id, times)]),
      ...credentialActions(past),
      ...licenseActions(past),
      ...deletionActions(past),
    ],
    toolSignIns: users.flatMap(({ id, times: { lastSignIn } }) =>
      lastSignIn === null ? [] : [{ daysAgo: lastSignIn, userId: id }],
    ),
    firstUser: first.id,
  };
};
