/** Seconds that one point of a drawn live chart covers, aligned to the clock. Apart from the schemas, so that the charts load without them. */
export const chartSpanSeconds = { '15m': 5, '24h': 600 } as const;
