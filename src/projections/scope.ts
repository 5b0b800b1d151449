import { type IntegratorId, NIL_UUID } from '../domain/ids.ts';

/** The scope of counters that count the whole product; other scopes are integrators' ids. */
export const EVERYTHING = NIL_UUID;

/** The scope of an integrator's counters; without an integrator, that of the whole product. */
export const scopeOf = (integratorId: IntegratorId | null | undefined): string => integratorId ?? EVERYTHING;
