import type { LicenseEntitlements } from '../../contracts/entitlements.ts';
import type { Entitlements } from '../../domain/license/entitlements.ts';

/** The entitlements of a license as replies have them. A license that includes everything has no field. */
export const shownEntitlements = (entitlements: Entitlements): { entitlements?: LicenseEntitlements } =>
  entitlements === null ? {} : { entitlements };
