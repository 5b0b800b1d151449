import { setTimeout as delay } from 'node:timers/promises';
import { type Client, clientOf, type Reply } from '../support/apiClient.ts';

const RECORDERS = 6;
const CREATORS = 3;
const BATCH = 100;
const AGAIN_MS = 20;
const IN_PROGRESS = 'idempotency_in_progress';
const SEATS = { developerSeats: 1, stakeholderSeats: 1 };

/** Every tenth call is a failed one. */
const someCalls = Array.from({ length: BATCH }, (_, index) => ({
  service: 'jira',
  instanceUrl: 'https://northwind.atlassian.example',
  operation: 'GET:/issue',
  status: index % 10 === 0 ? 500 : 200,
  durationMs: 20 + (index % 80),
}));

/** Acknowledged work: the number of API calls, and the ids of created customers, one for each idempotency key. */
type Acknowledged = { calls: number; customers: readonly string[] };

export type Load = {
  /** Batches and customers acknowledged so far. */
  progress: () => number;
  /** Rejects on a reply that no outage explains. */
  failed: Promise<never>;
  /** Ends the load once all requests are acknowledged. */
  finish: () => Promise<Acknowledged>;
};

/** Starts tools that record calls and an administrator who creates customers; each repeats a request until it is acknowledged. */
export const startLoad = (
  url: string,
  { tool, admin, integratorId }: { tool: Client; admin: Client; integratorId: string },
): Load => {
  let finishing = false;
  let progress = 0;

  /** The body of a successful reply, or the code of another one; null without a reply. */
  const tried = async (status: number, call: () => Promise<Reply>): Promise<Reply | string | null> => {
    const reply = await call().catch(() => null);
    if (reply?.status === status) {
      progress += 1;
      return reply;
    }
    const code = reply === null ? null : String(reply.body.code);
    if (reply && reply.status < 500 && code !== IN_PROGRESS)
      throw new Error(`Answered ${reply.status}: ${JSON.stringify(reply.body)}`);
    await delay(AGAIN_MS);
    return code;
  };

  const record = async (source: string): Promise<number> => {
    const caller = clientOf(url, tool.headers);
    let acknowledged = 0;
    for (let isOpen = false; isOpen || !finishing; ) {
      const batch = { sourceId: source, firstSequence: acknowledged + 1, calls: someCalls };
      const reply = await tried(202, () => caller.post('/api/cli/api-calls', batch));
      isOpen = reply === null || typeof reply === 'string';
      if (!isOpen) acknowledged += BATCH;
    }
    return acknowledged;
  };

  /** An idempotency key that a killed attempt reserved is retried at the end, when it has expired. */
  const create = async (creator: number): Promise<string[]> => {
    const caller = clientOf(url, admin.headers);
    const ids: string[] = [];
    const open: string[] = [];
    const createOne = async (name: string): Promise<void> => {
      const customer = { name, contactEmail: 'it@acme.example', serviceIntegratorId: integratorId, ...SEATS };
      const headers = { 'idempotency-key': name };
      for (;;) {
        const reply = await tried(201, () => caller.post('/api/admin/customers', customer, { headers }));
        if (reply === IN_PROGRESS) return void open.push(name);
        if (reply !== null && typeof reply !== 'string') return void ids.push(reply.body.customer.id);
      }
    };
    for (let index = 0; !finishing; index++) await createOne(`Customer-${creator}-${index}`);
    for (let name = open.shift(); name !== undefined; name = open.shift()) await createOne(name);
    return ids;
  };

  const recording = Array.from({ length: RECORDERS }, (_, index) => record(`source-${index}`));
  const creating = Array.from({ length: CREATORS }, (_, index) => create(index));
  const working = Promise.all([...recording, ...creating]);
  return {
    progress: () => progress,
    failed: new Promise<never>((_, reject) => working.catch(reject)),
    finish: async () => {
      finishing = true;
      const calls = (await Promise.all(recording)).reduce((sum, count) => sum + count, 0);
      return { calls, customers: (await Promise.all(creating)).flat() };
    },
  };
};
