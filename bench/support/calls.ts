const SERVICES = [
  ['jira', 'atlassian.example', ['GET:/issue', 'GET:/search', 'POST:/issue', 'GET:/board']],
  ['azdo', 'azure.example', ['GET:/workitems', 'GET:/git/repositories', 'PATCH:/workitems', 'GET:/build/builds']],
  ['confluence', 'wiki.example', ['GET:/content', 'GET:/search', 'PUT:/content', 'GET:/space']],
] as const;

/**
 * `count` calls as the command-line tool sends them, as the JSON of an array: to three services at two instances each, one in fifty failed.
 * The same for the same `variant`, but for their times, which end at `until` (ms since 1970).
 */
export const callsJson = (count: number, { variant, until }: { variant: number; until: number }): string =>
  JSON.stringify(
    Array.from({ length: count }, (_, index) => {
      const mixed = index * 31 + variant * 17;
      const [service, domain, operations] = SERVICES[mixed % SERVICES.length] ?? SERVICES[0];
      return {
        service,
        instanceUrl: `https://team-${mixed % 2}.${domain}`,
        operation: operations[mixed % operations.length],
        durationMs: 20 + ((mixed * 37) % 180),
        at: new Date(until - (count - index) * 7).toISOString(),
        status: mixed % 50 === 0 ? 500 : 200,
      };
    }),
  );
