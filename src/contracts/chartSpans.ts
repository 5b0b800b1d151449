/** Seconds that one point of a drawn live chart covers, aligned to the clock. Apart from the schemas, so that the charts load without them. */
export const chartSpanSeconds = { '15m': 5, '24h': 600 } as const;

/** The ranges of the charts up to now, in seconds. */
export const CHART_RANGES = { '15m': 900, '1h': 3_600, '6h': 21_600, '24h': 86_400, '7d': 604_800, '30d': 2_592_000 } as const;
/** A range of the charts up to now. */
export type ChartRange = keyof typeof CHART_RANGES;
/** How far back the charts go, and the longest period that they show, in days. */
export const CHART_DAYS = 62;
/** The most annotations of a period: the newest ones. */
export const MAX_ANNOTATIONS = 200;
