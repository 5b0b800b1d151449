import type { Client } from '../../support/apiClient.ts';
import { beginDevice, decideDevice, pollDevice, pollDeviceTooEarly } from '../../support/devices.ts';
import { asPortalMember, inviteUser, join } from '../../support/members.ts';
import type { Caused, Situation, SituationContext } from './situation.ts';
import { createTestTenant } from './testAccounts.ts';

/** A named user of the portal whom no other situation uses. */
const newMember = async ({ url, admin }: SituationContext): Promise<Client> => {
  const tenant = await createTestTenant(url, admin);
  const joined = await join(url, await inviteUser(tenant.portal, tenant.ids.user), { secondFactor: false });
  return asPortalMember(url, joined);
};

/** What is refused about device authorizations. */
export const deviceSituations = {
  authorization_pending: {
    cause: async ({ url }) => pollDevice(url, await beginDevice(url)),
    status: 400,
    error: 'The sign-in waits for its approval in the portal',
  },
  slow_down: {
    cause: async ({ url, server }) => {
      const begun = await beginDevice(url);
      await pollDevice(url, begun);
      return pollDeviceTooEarly({ url, db: server.product.db }, begun);
    },
    status: 400,
    error: 'The sign-in was asked for too often. Wait 5 seconds longer each time.',
  },
  expired_token: {
    cause: ({ url }) => pollDevice(url, { deviceCode: 'A'.repeat(43) }),
    status: 400,
    error: 'The code has expired or was used. Run latchkey login again.',
  },
  access_denied: {
    cause: async (context) => {
      const begun = await beginDevice(context.url);
      await decideDevice(await newMember(context), 'reject', begun);
      return pollDevice(context.url, begun);
    },
    status: 403,
    error: 'The sign-in was rejected, or the session that approved it has ended. Run latchkey login again.',
  },
  user_code_unknown: {
    cause: async (context) => decideDevice(await newMember(context), 'lookup', { userCode: 'BDWK-HQPX' }),
    status: 404,
    error: 'There is no sign-in with this code. Check the code in the terminal: it works once, within 10 minutes.',
  },
  user_code_of_another: {
    cause: async (context) => {
      const begun = await beginDevice(context.url, { email: 'grace@example.com' });
      return decideDevice(await newMember(context), 'approve', begun);
    },
    status: 403,
    error: 'This sign-in is for another user. Sign in to the portal as the user whom the terminal names.',
  },
} satisfies Partial<Record<Caused, Situation>>;
