import type { ConfigureIdentityProviderBody, IdentityProviderView } from '../../../../../src/contracts/identityProvider.ts';
import { ROLES, type Role } from '../../../../../src/domain/permissions.ts';
import type { OwnTeam } from '../ownTeam.ts';

/** The values of the form's fields; those of `values` by role. Lists are separated by commas. */
export type ProviderValues = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  domains: string;
  roleClaim: string;
  values: Record<string, string>;
  defaultRole: string;
  newUsersJoin: boolean;
  secondFactor: ConfigureIdentityProviderBody['secondFactor'];
};

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

export const rolesOf = (kind: OwnTeam['kind']): readonly Role[] => ROLES[kind];

export const valuesOf = (kind: OwnTeam['kind'], provider: IdentityProviderView | null): ProviderValues => ({
  issuer: provider?.issuer ?? '',
  clientId: provider?.clientId ?? '',
  clientSecret: '',
  domains: provider?.domains.map(({ domain }) => domain).join(', ') ?? '',
  roleClaim: provider?.roleClaim ?? '',
  values: Object.fromEntries(
    rolesOf(kind).map((role) => [
      role,
      (provider?.roles ?? [])
        .filter((one) => one.role === role)
        .map(({ value }) => value)
        .join(', '),
    ]),
  ),
  defaultRole: provider?.defaultRole ?? '',
  newUsersJoin: provider?.newUsersJoin ?? false,
  secondFactor: provider?.secondFactor ?? 'never',
});

export const bodyOf = ({ values, ...typed }: ProviderValues) => ({
  ...typed,
  domains: listOf(typed.domains),
  roles: Object.entries(values).flatMap(([role, text]) => listOf(text).map((value) => ({ value, role }))),
  defaultRole: typed.defaultRole === '' ? null : typed.defaultRole,
});
