import { cliLoginReply } from '../../contracts/cli.ts';
import {
  beginDevice,
  beginDeviceReply,
  deviceRequestReply,
  ofUserCode,
  pollDevice,
  shownUserCode,
} from '../../contracts/deviceAuthorization.ts';
import { done } from '../../contracts/replies.ts';
import { DEVICE_POLL_S, DEVICE_REQUEST_MS } from '../../domain/limits.ts';
import { teamIdOf } from '../../domain/team/teamId.ts';
import { clientAddressOf, networksOf } from '../../security/clientNetworks.ts';
import type { HttpDeps, Routes } from '../deps.ts';
import { approveDevice, approverOf, checkApproval, evaluateUserCode, expectUser, showDevice } from '../deviceSignIn.ts';
import { BODY_LIMIT } from '../limits.ts';
import { publicIdOf } from '../machines.ts';
import { noticePlace } from '../notices.ts';
import { HttpProblem, type ProblemCode } from '../problems/problems.ts';
import { problems } from '../replies.ts';
import { systemOf } from '../requests/browser.ts';
import { metaOf } from '../requests/meta.ts';
import type { Origins } from '../requests/origins.ts';
import { nameAccount } from '../requests/signIns.ts';
import { noteSeatDenial } from '../seatDenials.ts';
import { completeToolSignIn } from '../toolSignIn.ts';

const tags = ['Command-line tool'];
const TOO_MANY =
  'Too many sign-ins wait for their approval. Approve or reject those of your network, or try again in a few minutes.';

/** The screen of the portal on which users decide. */
const SCREEN = '/portal/device';

/** What the tool is answered before its user has approved. */
const UNDECIDED = {
  pending: 'authorization_pending',
  too_fast: 'slow_down',
  rejected: 'access_denied',
  unknown: 'expired_token',
} as const satisfies Record<string, ProblemCode>;

/** The tool's side of a device authorization (RFC 8628): start it, then ask for the user's decision. */
export const deviceSignInRoutes: Routes<HttpDeps & { origins: Origins }> = (app, deps) => {
  const { deviceRequests, origins } = deps;

  app.post(
    '/api/cli/device',
    {
      bodyLimit: BODY_LIMIT.form,
      config: { audience: ['public'], idempotent: false },
      schema: {
        summary: 'Start a sign-in that a named user of the portal approves',
        description: 'Codes are valid for ten minutes. `email` limits who may approve to the user with this address.',
        tags,
        body: beginDevice,
        response: { 200: beginDeviceReply, ...problems(400, 429) },
      },
    },
    async (request) => {
      const { machineId, machineName = null, email = null } = request.body;
      const details = {
        machineId,
        machineName,
        email,
        address: clientAddressOf(request.ip),
        system: systemOf(request.headers['user-agent']),
        requestedAt: new Date(request.receivedAt).toISOString(),
      };
      const begun = await deviceRequests.begin(details, networksOf(request.ip).address);
      if (!begun) throw new HttpProblem('too_many_attempts', { text: TOO_MANY });
      const userCode = shownUserCode(begun.userCode);
      const verificationUri = `${origins.ownOriginOf(request)}${SCREEN}`;
      return {
        success: true as const,
        deviceCode: begun.deviceCode,
        userCode,
        verificationUri,
        verificationUriComplete: `${verificationUri}?code=${userCode}`,
        expiresIn: DEVICE_REQUEST_MS / 1000,
        interval: DEVICE_POLL_S.first,
      };
    },
  );

  app.post(
    '/api/cli/device/token',
    {
      config: { audience: ['public'], idempotent: false, signIn: 'cli' },
      schema: {
        summary: 'Sign in with a device code that a user has approved',
        description:
          'As in RFC 8628: `authorization_pending` and `slow_down` ask to send it again after the interval, which `slow_down` makes five seconds longer.',
        tags,
        body: pollDevice,
        response: { 200: cliLoginReply, ...problems(400, 401, 403, 409) },
      },
    },
    async (request, reply) => {
      const polled = await deviceRequests.poll(request.body.deviceCode);
      if (polled.status !== 'approved') throw new HttpProblem(UNDECIDED[polled.status]);
      const { details, approver } = polled;
      const { customerId, userId } = approver;
      nameAccount(request, { customerId, userId });
      const { customer } = await checkApproval(deps, details, approver).catch((error: unknown) => {
        if (error instanceof HttpProblem) noteSeatDenial(deps, { customerId, userId, username: null }, error.code);
        throw error;
      });
      const machine = publicIdOf(userId, details.machineId);
      return completeToolSignIn(deps, request, reply, {
        owner: { kind: 'cli', userId, customerId, integratorId: customer.integratorId, machine },
        method: 'device_code',
        check: async () => {
          const checked = await checkApproval(deps, details, approver);
          await noticePlace(deps, request, { teamId: teamIdOf({ kind: 'customer', customerId }), userId });
          return checked;
        },
        meta: metaOf(request, { kind: 'user', id: userId, method: 'device_code' }),
      });
    },
  );
};

/** The user's side in the portal: see the request of a code, and decide it. */
export const deviceDecisionRoutes: Routes = (app, deps) => {
  const { deviceRequests } = deps;
  const config = { audience: ['customer'], permission: 'ownMachines:approve' } as const;

  app.post(
    '/api/customer/device-requests/lookup',
    {
      config: { ...config, idempotent: false },
      schema: {
        summary: 'Get the sign-in of a code that the tool shows',
        tags,
        body: ofUserCode,
        response: { 200: deviceRequestReply, ...problems(400, 401, 403, 404, 429) },
      },
    },
    async (request) => {
      const { userCode } = request.body;
      const approver = approverOf(request);
      const device = await evaluateUserCode(deps, request, approver, () => deviceRequests.find(userCode, approver.userId));
      await expectUser(deps, approver, device);
      return { success: true as const, request: showDevice(request, userCode, device) };
    },
  );

  app.post(
    '/api/customer/device-requests/approve',
    {
      config,
      schema: {
        summary: 'Approve the sign-in of a code: the tool signs in as you, and its machine is approved',
        tags,
        body: ofUserCode,
        response: { 200: done, ...problems(400, 401, 403, 404, 409, 429) },
      },
    },
    async (request, reply) => {
      await approveDevice(deps, request, reply, request.body.userCode);
      return { success: true as const };
    },
  );

  app.post(
    '/api/customer/device-requests/reject',
    {
      config,
      schema: {
        summary: 'Reject the sign-in of a code',
        tags,
        body: ofUserCode,
        response: { 200: done, ...problems(400, 401, 403, 404, 429) },
      },
    },
    async (request) => {
      const { userCode } = request.body;
      const approver = approverOf(request);
      await evaluateUserCode(deps, request, approver, async () =>
        (await deviceRequests.reject(userCode, approver.userId)) ? true : null,
      );
      return { success: true as const };
    },
  );
};
