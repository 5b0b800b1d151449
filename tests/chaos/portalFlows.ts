import { asAdmin, asCustomer, asTool, bearer, type Client, newCustomer } from '../support/apiClient.ts';
import { beginDevice, decideDevice, pollDevice } from '../support/devices.ts';
import { PASSWORD } from '../support/members.ts';
import { byPassword, type FlowContext, invitationIs, joined, newEmail, newPartner, sessionIs, signedIn } from './accounts.ts';
import { expected, type Flow, fromElsewhere } from './flow.ts';

const AREA = 'customer';

/** A portal user of a customer of its own, and a session of the license key. */
const newPortalUser = async (context: FlowContext) => {
  const { url } = context;
  const { integrator } = await newPartner(context);
  const customer = await newCustomer(await asAdmin(url), integrator.id);
  const portal = await asCustomer(url, customer);
  const username = newEmail().replace(/@.*/, '');
  const { userId } = await asTool(url, customer, username);
  const invite = async (): Promise<string> =>
    (await expected(portal.post(`/api/users/${userId}/invitation`), 201)).body.path.replace('/join#', '');
  return { portal, userId, username, email: `${username}@example.com`, invite };
};

/** A portal user is invited by the customer, joins, gets another role and is deactivated, and so leaves the team. */
export const portalFlow = async (context: FlowContext): Promise<Flow> => {
  const { url } = context;
  const { portal, userId, username, email, invite } = await newPortalUser(context);
  let [token, session] = [null as string | null, null as Client | null];
  return {
    name: 'portal user',
    before: { invitation: null, password: 'no', session: null, key: 'open' },
    observe: async () => ({
      invitation: await invitationIs(url, token),
      password: await byPassword(url, AREA, email),
      session: await sessionIs(session),
      key: (await portal.get('/api/auth/customer/session')).status === 200 ? 'open' : 'ended',
    }),
    steps: [
      {
        what: 'invited',
        act: async () => {
          token = await invite();
        },
        after: { invitation: 'open' },
      },
      {
        what: 'joined',
        act: () => joined(url, token, { password: PASSWORD }),
        after: { invitation: 'closed', password: 'developer' },
      },
      {
        what: 'signed in',
        act: async () => {
          session = await signedIn(url, AREA, { email, password: PASSWORD });
        },
        after: { session: 'developer' },
      },
      {
        what: 'became a stakeholder',
        act: () => expected(portal.put(`/api/users/${userId}`, { username, email, role: 'stakeholder' }), 200),
        after: { password: 'stakeholder', session: 'ended' },
      },
      {
        what: 'deactivated',
        act: () => expected(portal.put(`/api/users/${userId}/status`, { status: 'inactive' }), 200),
        after: { password: 'no' },
      },
    ],
  };
};

type Code = Awaited<ReturnType<typeof beginDevice>>;

/** The tool signs in by a device code, which a named user approves in the portal; then the user is removed. */
export const deviceFlow = async (context: FlowContext): Promise<Flow> => {
  const { url } = context;
  const { portal, userId, email, invite } = await newPortalUser(context);
  await joined(url, await invite(), { password: PASSWORD });
  const session = await signedIn(url, AREA, { email, password: PASSWORD });
  let device: Code | null = null;
  let used: Code | null = null;
  let tool: Client | null = null;
  const start = async () => {
    device = await beginDevice(url, {}, fromElsewhere(url).headers);
    return device;
  };
  const started = async () => device ?? start();
  const poll = (code: Code) => pollDevice(url, code, fromElsewhere(url).headers);
  const approve = async () => expected(decideDevice(session, 'approve', await started()), 200, 404);
  const isWaiting = async (): Promise<string | null> =>
    device && ((await decideDevice(session, 'lookup', device)).status === 200 ? 'waiting' : 'no');
  return {
    name: 'device code',
    before: { code: null, tool: null, replay: null, portal: 'developer' },
    observe: async () => ({
      code: await isWaiting(),
      tool: tool && ((await tool.get('/api/cli/session')).status === 200 ? 'open' : 'ended'),
      replay: used && ((await poll(used)).status === 200 ? 'in' : 'refused'),
      portal: await sessionIs(session),
    }),
    steps: [
      { what: 'started', act: start, after: { code: 'waiting' } },
      { what: 'polled too early', act: async () => expected(poll(await started()), 400) },
      { what: 'approved', act: approve, after: { code: 'no' } },
      {
        what: 'polled',
        act: async () => {
          let reply = await expected(poll(await started()), 200, 400);
          if (reply.status === 400) {
            await start();
            await approve();
            reply = await expected(poll(await started()), 200);
          }
          tool = fromElsewhere(url, bearer(reply.body.token));
          used = device;
        },
        after: { tool: 'open', replay: 'refused' },
      },
      {
        what: 'removed',
        act: () => expected(portal.delete(`/api/team/members/${userId}`), 200, 404),
        after: { tool: 'ended', portal: 'ended' },
      },
    ],
  };
};
