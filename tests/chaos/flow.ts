import { setTimeout as delay } from 'node:timers/promises';
import { type Client, clientOf, type Reply } from '../support/apiClient.ts';
import { freePort } from '../support/freePort.ts';
import { startServerProcess } from '../support/serverProcess.ts';

/** What credentials open: a short word for each. Null where nobody holds the credential. */
type Access = Readonly<Record<string, string | null>>;

type Step = Readonly<{
  what: string;
  /** Does the step as its user would, also again when the reply of the first attempt was lost. */
  act: () => Promise<unknown>;
  /** What the step changes in the access. */
  after?: Access;
}>;

/** What a user does in several steps, and what credentials, also those of half a flow, open before and after each. */
export type Flow = Readonly<{ name: string; before: Access; observe: () => Promise<Access>; steps: readonly Step[] }>;

/** The built server on embedded stores, which is killed and started again at the same address. */
export type KilledServer = {
  url: string;
  kill: () => Promise<void>;
  start: () => Promise<void>;
  stop: () => Promise<void>;
};

export const startKilledServer = async (dataDir: string, env: Record<string, string>): Promise<KilledServer> => {
  const port = await freePort();
  const start = () => startServerProcess(dataDir, { PORT: String(port), TRUST_PROXY: 'loopback', ...env });
  let running = await start();
  return {
    url: `http://127.0.0.1:${port}`,
    kill: () => running.kill(),
    start: async () => {
      running = await start();
    },
    stop: async () => void (await running.stop()),
  };
};

let addresses = 0;

/** A client at an address of its own, so that neither wrong guesses nor killed ones of another client count for it. */
export const fromElsewhere = (url: string, headers: Record<string, string> = {}): Client => {
  addresses += 1;
  return clientOf(url, { ...headers, 'x-forwarded-for': `198.18.${addresses >> 8}.${addresses & 255}` });
};

/** The reply, which must have one of these statuses. */
export const expected = async (call: Promise<Reply>, ...statuses: number[]): Promise<Reply> => {
  const reply = await call;
  if (!statuses.includes(reply.status)) {
    throw new Error(`Answered ${reply.status} and not ${statuses.join(' or ')}: ${JSON.stringify(reply.body)}`);
  }
  return reply;
};

const SETTLED_MS = 20_000;
const AGAIN_MS = 200;

const agrees = (observed: Access, wanted: Access, isLost: boolean): boolean =>
  Object.keys(wanted).every((name) => observed[name] === wanted[name] || (isLost && observed[name] === null));

/** Policies end sessions after an event, so an access may be reached a moment after the start. Resolves to what differs, if anything does. */
const deviation = async (flow: Flow, step: string, wanted: readonly Access[], isLost = false): Promise<string[]> => {
  const deadline = performance.now() + SETTLED_MS;
  for (;;) {
    const observed = await flow.observe();
    if (wanted.some((access) => agrees(observed, access, isLost))) return [];
    if (performance.now() > deadline) {
      const texts = wanted.map((access) => JSON.stringify(access)).join(' or ');
      return [`${flow.name}, ${step}: access is ${JSON.stringify(observed)} and not ${texts}`];
    }
    await delay(AGAIN_MS);
  }
};

const acted = async ({ name }: Flow, { what, act }: Step): Promise<void> => {
  await act().catch((error: unknown) => {
    throw new Error(`${name}, ${what}: ${String(error)}`, { cause: error });
  });
};

/** A step of a flow with the access before and after it; null where the flow has ended. */
const stepAt = (flow: Flow, round: number) => {
  const step = flow.steps[round];
  const accessBefore = (count: number): Access =>
    Object.assign({}, flow.before, ...flow.steps.slice(0, count).map(({ after = {} }) => after));
  return step ? { flow, step, before: accessBefore(round), after: accessBefore(round + 1) } : null;
};

const roundsOf = (flows: readonly Flow[]) => {
  const longest = Math.max(...flows.map(({ steps }) => steps.length));
  return Array.from({ length: longest }, (_, round) => flows.map((flow) => stepAt(flow, round)).filter((step) => step !== null));
};

/** Kills the server after each step of all flows, which go on side by side. Resolves to the deviations from the wanted access. */
export const killBetweenSteps = async (server: KilledServer, flows: readonly Flow[]): Promise<string[]> => {
  const found = await Promise.all(flows.map((flow) => deviation(flow, 'at first', [flow.before])));
  for (const round of roundsOf(flows)) {
    await Promise.all(round.map(({ flow, step }) => acted(flow, step)));
    await server.kill();
    await server.start();
    found.push(...(await Promise.all(round.map(({ flow, step, after }) => deviation(flow, step.what, [after])))));
  }
  return found.flat();
};

/**
 * Kills the server while it does a step of all flows, `afterMs()` after they were sent: each step has then happened or not, and its user
 * does it again if the reply was lost. Resolves to the deviations from the wanted access.
 */
export const killDuringSteps = async (server: KilledServer, flows: readonly Flow[], afterMs: () => number): Promise<string[]> => {
  const found: string[][] = [];
  for (const round of roundsOf(flows)) {
    const replies = round.map(({ step }) =>
      step.act().then(
        () => true,
        () => false,
      ),
    );
    await delay(afterMs());
    await server.kill();
    const replied = await Promise.all(replies);
    await server.start();
    const goOn = async ({ flow, step, before, after }: (typeof round)[number], index: number): Promise<string[]> => {
      if (replied[index]) return deviation(flow, step.what, [after]);
      const killed = await deviation(flow, `${step.what}, killed`, [before, after], true);
      await acted(flow, step);
      return [...killed, ...(await deviation(flow, `${step.what}, again`, [after]))];
    };
    found.push(...(await Promise.all(round.map(goOn))));
  }
  return found.flat();
};
