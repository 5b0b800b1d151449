import { HOUR_MS } from '../../src/domain/time.ts';

const SERVICES = [
  ['jira', 'atlassian.example', ['GET:/issue', 'GET:/search', 'POST:/issue', 'GET:/board']],
  ['azdo', 'azure.example', ['GET:/workitems', 'GET:/git/repositories', 'PATCH:/workitems', 'GET:/build/builds']],
  ['confluence', 'wiki.example', ['GET:/content', 'GET:/search', 'PUT:/content', 'GET:/space']],
] as const;

/** Deterministic for an index and a variant, except for its time `at` (epoch ms). */
const callOf = (index: number, variant: number, at: number) => {
  const seed = index * 31 + variant * 17;
  const [service, domain, operations] = SERVICES[seed % SERVICES.length] ?? SERVICES[0];
  return {
    service,
    instanceUrl: `https://team-${seed % 2}.${domain}`,
    operation: operations[seed % operations.length],
    durationMs: 20 + ((seed * 37) % 180),
    at: new Date(at).toISOString(),
    status: seed % 50 === 0 ? 500 : 200,
  };
};

/**
 * The JSON array of `count` calls that the command-line tool would send: three services with two instances each, one in fifty failed.
 * Deterministic for a `variant`, except for their times, which end at `until` (epoch ms).
 */
export const callsJson = (count: number, { variant, until }: { variant: number; until: number }): string =>
  JSON.stringify(Array.from({ length: count }, (_, index) => callOf(index, variant, until - (count - index) * 7)));

const HOURS_OF_A_WEEK = 168;

/** `count` calls as NDJSON, all within one hour of the last week. `variant` selects the hour. */
export const recordedCalls = (count: number, variant: number): string => {
  const hour = Math.floor(Date.now() / HOUR_MS) - (variant % HOURS_OF_A_WEEK) - 1;
  const lines = Array.from({ length: count }, (_, index) => JSON.stringify(callOf(index, variant, hour * HOUR_MS + index * 7)));
  return `${lines.join('\n')}\n`;
};
