import { type CustomerId, type IntegratorId, isUuid, type TeamId, type ThemeId } from '../../../src/domain/ids.ts';

/** Whether a part of the address has the form of a customer's id. */
export const isCustomerId = (value: string | undefined): value is CustomerId => isUuid(value);
/** Whether a part of the address has the form of a service integrator's id. */
export const isIntegratorId = (value: string | undefined): value is IntegratorId => isUuid(value);
/** Whether a customer's theme is a custom one: built-in themes have names. */
export const isThemeId = (value: string | null | undefined): value is ThemeId => isUuid(value);

const OF_TENANT = /^(?:integrator|customer)\./;

/** Whether a text names the team of a tenant, as the topics of the live feed do. */
export const isTeamId = (value: string): value is TeamId =>
  value === 'administration' || (OF_TENANT.test(value) && isUuid(value.replace(OF_TENANT, '')));
