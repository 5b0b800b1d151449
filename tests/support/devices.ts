import { sql } from 'kysely';
import type { BeginDeviceReply } from '../../src/contracts/deviceAuthorization.ts';
import type { Database } from '../../src/database/database.ts';
import { type Client, clientOf, type Reply } from './apiClient.ts';

let machines = 0;

/** Starts a device authorization, as a machine that nothing else uses. */
export const beginDevice = async (
  url: string,
  given: object = {},
  headers: Record<string, string> = {},
): Promise<BeginDeviceReply> => {
  machines += 1;
  const body = { machineId: `device-${machines}`, machineName: `laptop-${machines}`, ...given };
  const reply = await clientOf(url, headers).post('/api/cli/device', body);
  if (reply.status !== 200) throw new Error(`Answered ${reply.status}: ${JSON.stringify(reply.body)}`);
  return reply.body;
};

/** Asks for the decision. */
export const pollDevice = (
  url: string,
  { deviceCode }: Pick<BeginDeviceReply, 'deviceCode'>,
  headers: Record<string, string> = {},
): Promise<Reply> => clientOf(url, headers).post('/api/cli/device/token', { deviceCode });

/** Asks too early for the decision, however much later than the last time. */
export const pollDeviceTooEarly = async (
  { url, db }: { url: string; db: Database },
  begun: Pick<BeginDeviceReply, 'deviceCode'>,
): Promise<Reply> => {
  const polledAt = sql<Date>`clock_timestamp() + interval '1 minute'`;
  await db.updateTable('auth.device_request').set({ polled_at: polledAt }).execute();
  return pollDevice(url, begun);
};

/** Looks at, approves or rejects the request of a code. */
export const decideDevice = (
  portal: Client,
  decision: 'lookup' | 'approve' | 'reject',
  { userCode }: Pick<BeginDeviceReply, 'userCode'>,
): Promise<Reply> => portal.post(`/api/customer/device-requests/${decision}`, { userCode });
