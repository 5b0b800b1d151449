import {
  type TrafficKind,
  usageTrafficFourHoursTable,
  usageTrafficHourTable,
  usageTrafficMergedHoursTable,
  usageTrafficMinuteTable,
} from '../../database/tables/usage.ts';
import type { IntegratorId } from '../../domain/ids.ts';
import { EVERYTHING } from '../scope.ts';
import { RESOLUTIONS } from './resolutions.ts';

const [, MINUTES, HOURS] = RESOLUTIONS;
const FOUR_HOURS_MS = 4 * HOURS.sizeMs;
/** The breakdowns that are stored, and for how long. `totals` are the buckets of the charts, which count the same calls. */
export const TRAFFIC = [
  { shape: usageTrafficMinuteTable, sizeMs: MINUTES.sizeMs, keptMs: MINUTES.keptMs, totals: MINUTES.shape },
  { shape: usageTrafficHourTable, sizeMs: HOURS.sizeMs, keptMs: HOURS.keptMs, totals: HOURS.shape },
] as const;
/** The table of a breakdown by minute or by hour, with its times in ms. */
export type Traffic = (typeof TRAFFIC)[number];

/** The sums of the hours, which are not divided further. */
export const FOUR_HOURS = { shape: usageTrafficFourHoursTable, sizeMs: FOUR_HOURS_MS, keptMs: HOURS.keptMs } as const;

/** What hours are merged into once four of them are over. They contain the same cells. */
export const MERGED_HOURS = { shape: usageTrafficMergedHoursTable, sizeMs: FOUR_HOURS_MS } as const;

/** All of them; each is the sum of the one before, as long as that one is kept. */
export const EVERY_SPAN = [...TRAFFIC, FOUR_HOURS] as const;
/** What is stored of a length of time. */
export type Span = (typeof EVERY_SPAN)[number];

/** Whose calls a row counts. */
export type Scope = Readonly<{ kind: TrafficKind; scope: string }>;
/** Takes the four hours (ms since 1970) and the scope of a row that a batch changes. */
export type Changed = (at: number, scope: Scope) => void;
const ALL: Scope = { kind: 'all', scope: EVERYTHING };

/** The scopes above a customer. An unknown integrator gets the calls once it is known. */
export const scopesAbove = (integratorId: IntegratorId | null): readonly Scope[] =>
  integratorId ? [ALL, { kind: 'integrator', scope: integratorId }] : [ALL];
