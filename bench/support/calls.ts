const SERVICES = [
  ['jira', 'atlassian.example', ['GET:/issue', 'GET:/search', 'POST:/issue', 'GET:/board']],
  ['azdo', 'azure.example', ['GET:/workitems', 'GET:/git/repositories', 'PATCH:/workitems', 'GET:/build/builds']],
  ['confluence', 'wiki.example', ['GET:/content', 'GET:/search', 'PUT:/content', 'GET:/space']],
] as const;

/** The same for the same index and variant, but for its time, in ms since 1970. */
const callOf = (index: number, variant: number, at: number) => {
  const mixed = index * 31 + variant * 17;
  const [service, domain, operations] = SERVICES[mixed % SERVICES.length] ?? SERVICES[0];
  return {
    service,
    instanceUrl: `https://team-${mixed % 2}.${domain}`,
    operation: operations[mixed % operations.length],
    durationMs: 20 + ((mixed * 37) % 180),
    at: new Date(at).toISOString(),
    status: mixed % 50 === 0 ? 500 : 200,
  };
};

/**
 * `count` calls as the command-line tool sends them, as the JSON of an array: to three services at two instances each, one in fifty failed.
 * The same for the same `variant`, but for their times, which end at `until` (ms since 1970).
 */
export const callsJson = (count: number, { variant, until }: { variant: number; until: number }): string =>
  JSON.stringify(Array.from({ length: count }, (_, index) => callOf(index, variant, until - (count - index) * 7)));

const HOUR_MS = 3_600_000;
const HOURS_OF_A_WEEK = 168;

/** `count` calls as lines of NDJSON, made within one hour of the last week, which `variant` chooses. */
export const recordedCalls = (count: number, variant: number): string => {
  const hour = Math.floor(Date.now() / HOUR_MS) - (variant % HOURS_OF_A_WEEK) - 1;
  const lines = Array.from({ length: count }, (_, index) => JSON.stringify(callOf(index, variant, hour * HOUR_MS + index * 7)));
  return `${lines.join('\n')}\n`;
};
