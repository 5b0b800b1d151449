const OPERATIONS = ['GET:/issue', 'GET:/search', 'POST:/issue', 'GET:/board'] as const;

/** `count` calls as the command-line tool sends them, as JSON text, the same each time. */
export const callsJson = (count: number): string =>
  JSON.stringify(
    Array.from({ length: count }, (_, index) => ({
      service: 'jira',
      instanceUrl: `https://team-${index % 3}.atlassian.example`,
      operation: OPERATIONS[index % OPERATIONS.length],
      status: index % 50 === 0 ? 500 : 200,
      durationMs: 20 + ((index * 37) % 180),
    })),
  );
