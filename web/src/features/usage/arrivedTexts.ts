/** Texts about the calls of all customers by their arrival. */
export const arrivedTexts = {
  title: 'Calls by arrival',
  sub: 'Response times, parts and hours of all customers together are counted when calls arrive at the server, also calls that were voided later. A tool that was offline sends its calls later. Users and instances are on the usage screen of each customer.',
  inUtc: (zone: string): string => `Days and hours are in UTC here, because days of ${zone} do not begin on a whole hour of UTC.`,
  kept: (time: string): string => `Arrivals are kept for 62 days. What follows is of the calls since ${time}.`,
  latencySub: 'Median and 95th percentile',
  outcomes: {
    '1xx': 'HTTP 1xx',
    '2xx': 'HTTP 2xx',
    '3xx': 'HTTP 3xx',
    '4xx': 'HTTP 4xx',
    '5xx': 'HTTP 5xx',
    error: 'No HTTP status',
  } as Partial<Record<string, string>>,
} as const;
