import { recordUserActivity } from '../../commands/activity.ts';
import { enrolCustomer } from '../../commands/enrolCustomer.ts';
import { credentialId, userId } from '../../contracts/fields.ts';
import type { CustomerCommand } from '../../domain/customer/commands.ts';
import type { EventMeta } from '../../domain/event.ts';
import type { CustomerId, IntegratorId, ThemeId, UserId } from '../../domain/ids.ts';
import type { CastCustomer, CastUser } from './cast.ts';
import { metaAt, must, type Stage } from './stage.ts';
import { type Timeline, timelineOf, type UserTimeline } from './timeline.ts';

/** Something that was done in a customer's past. */
type Deed = Readonly<{ daysAgo: number; run: (meta: EventMeta) => Promise<void> }>;

type Past = Readonly<{
  stage: Stage;
  cast: CastCustomer;
  timeline: Timeline;
  customerId: CustomerId;
  integratorId: IntegratorId;
  licenseKey: string;
  /** The integrator's own, by name. */
  themes: ReadonlyMap<string, ThemeId>;
}>;

const dispatching =
  ({ product }: Stage, what: string, command: (meta: EventMeta) => CustomerCommand): Deed['run'] =>
  async (meta) =>
    void must(await product.dispatch(command(meta)), what);

const registered = ({ stage, cast, customerId, integratorId, licenseKey }: Past): Deed => ({
  daysAgo: cast.sinceDaysAgo,
  run: async (meta) => {
    const outcome = await enrolCustomer(stage.product.dispatch, {
      type: 'RegisterCustomer',
      data: {
        customerId,
        integratorId,
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

const userDeeds = ({ stage, customerId }: Past, user: CastUser, id: UserId, times: UserTimeline): Deed[] => {
  const { registered, lastSignIn, deactivated } = times;
  const target = { customerId, userId: id };
  const { username, email, role, machineId, status } = user;
  const deeds: Deed[] = [
    {
      daysAgo: registered,
      run: dispatching(stage, 'register a user', (meta) => ({
        type: 'RegisterUser',
        data: { ...target, username, email, role, machineId },
        meta,
      })),
    },
  ];
  if (lastSignIn !== null) {
    deeds.push({
      daysAgo: lastSignIn,
      run: async (meta) => {
        const own: EventMeta = { ...meta, actor: { kind: 'user', id } };
        await recordUserActivity(stage.product.events, { type: 'UserAuthenticated', data: target }, own);
      },
    });
  }
  if (deactivated === null) return deeds;
  const type = status === 'inactive' ? 'DeactivateUser' : 'SuspendUser';
  return [
    ...deeds,
    {
      daysAgo: deactivated,
      run: dispatching(stage, `make a user ${status}`, (meta) => ({ type, data: { ...target, reason: null }, meta })),
    },
  ];
};

/** What the customer signs in with at the services it calls; one of them may have stopped working. */
const credentialDeeds = ({ stage, cast, timeline, customerId }: Past): Deed[] => {
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
          must(await product.dispatch({ type: 'StoreCredential', data, meta }), 'store a credential');
        },
      },
      {
        daysAgo: timeline.credentialsTested,
        run: async (meta: EventMeta) => {
          const detail = works ? 'Signed in.' : 'The username or the token is wrong (401).';
          const data = { ...target, ok: works, detail, durationMs: 240, revisions: 0 };
          must(await product.dispatch({ type: 'RecordCredentialTest', data, meta }), 'test a credential');
        },
      },
    ];
  });
};

/** What was decided about the customer once it was there. */
const laterDeeds = ({ stage, cast, timeline, customerId, themes }: Past): Deed[] => {
  const { sinceDaysAgo, status, brand } = cast;
  const deeds: Deed[] = [
    {
      daysAgo: Math.min(40, sinceDaysAgo * 0.3),
      run: dispatching(stage, 'enforce seat limits', (meta) => ({ type: 'EnforceSeatLimits', data: { customerId }, meta })),
    },
  ];
  const theme = brand === null ? undefined : themes.get(brand);
  if (theme) {
    deeds.push({
      daysAgo: Math.min(60, sinceDaysAgo * 0.5),
      run: dispatching(stage, 'assign a theme', (meta) => ({
        type: 'AssignTheme',
        data: { customerId, theme, source: 'explicit' },
        meta,
      })),
    });
  }
  if (status === 'suspended') {
    const data = { customerId, reason: 'Invoice overdue' };
    deeds.push({
      daysAgo: timeline.ended,
      run: dispatching(stage, 'suspend', (meta) => ({ type: 'SuspendCustomer', data, meta })),
    });
  }
  if (status === 'churned') {
    const data = { customerId, reason: 'Contract ended' };
    deeds.push({ daysAgo: timeline.ended, run: dispatching(stage, 'churn', (meta) => ({ type: 'ChurnCustomer', data, meta })) });
  }
  return deeds;
};

/** Writes a customer's past in the order in which it happened; resolves to its first user. */
export const writePast = async (given: Omit<Past, 'timeline'>): Promise<UserId> => {
  const { stage, cast } = given;
  const past: Past = { ...given, timeline: timelineOf(stage.random, cast) };
  const users = cast.users.map((user) => ({ user, id: userId.parse(stage.product.newId()) }));
  const [first] = users;
  if (!first) throw new Error(`${cast.name} has no users`);
  const deeds = [
    registered(past),
    ...users.flatMap(({ user, id }, index) => {
      const times = past.timeline.users[index];
      return times ? userDeeds(past, user, id, times) : [];
    }),
    ...credentialDeeds(past),
    ...laterDeeds(past),
  ];
  deeds.sort((one, other) => other.daysAgo - one.daysAgo);
  for (const { daysAgo, run } of deeds) await run(metaAt(stage, daysAgo));
  return first.id;
};
