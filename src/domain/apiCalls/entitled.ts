import { SERVICES, type Service } from '../enumerations.ts';
import { type Entitlements, isEntitled } from '../license/entitlements.ts';

/** What a license included of the services from an event on: the position of the event, its time in ms since 1970, and the entitlements. */
export type ServicesSet = Readonly<{ position: bigint; ms: number; entitlements: Entitlements }>;

/** Entitlements without those of features; null if they include every service at any time. */
export const ofServices = (entitlements: Entitlements): Entitlements =>
  entitlements === null ? null : entitlements.filter(({ code }) => SERVICES.some((service) => service === code));

/**
 * Whether the license included the service of a call that an event at a position recorded: by the last entitlements that were set before
 * both the event and the call. So a rebuild decides the same, and a later change of the license does not flag calls of the past.
 */
export const wasIncluded = (
  sets: readonly ServicesSet[],
  { position, ms, service }: Readonly<{ position: bigint; ms: number; service: Service }>,
): boolean => {
  const last = sets.findLast((one) => one.position < position && one.ms <= ms);
  return last === undefined || isEntitled(last.entitlements, service, new Date(ms).toISOString());
};
