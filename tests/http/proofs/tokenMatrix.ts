import { type Permission, tokenScopesOf } from '../../../src/domain/permissions.ts';
import { teamOf } from '../../../src/http/principal.ts';
import { apiTokenHash, newApiToken } from '../../../src/security/apiTokenFormat.ts';
import { type SessionOwner, TENANT_OF } from '../../../src/security/session.ts';
import { bearer, type Client, clientOf } from '../../support/apiClient.ts';
import { apiTokenIdOf } from '../../support/builders/ids.ts';
import { createApiToken } from '../../support/builders/teamCommands.ts';
import { eventually } from '../../support/eventually.ts';
import type { TestServer } from '../../support/server.ts';
import { type Cell, cellsOf, HAS_ALL_CELLS } from './matrixCells.ts';
import { permissionOfRoute } from './matrixPermissions.ts';
import type { Row } from './matrixTable.ts';

/** The kinds of sessions whose tenants have API tokens. */
export type TokenKind = 'admin' | 'integrator' | 'customer';
/** `exact`: the token has only the permission of the route. `others`: it has every scope but that. */
export type TokenCell = Cell & { who: TokenKind; scopes: 'exact' | 'others' };

const KINDS: readonly TokenKind[] = ['admin', 'integrator', 'customer'];
const isTokenKind = (who: string): who is TokenKind => KINDS.some((kind) => kind === who);

const grantable = (kind: TokenKind, permission: Permission | undefined): permission is Permission =>
  permission !== undefined && tokenScopesOf(TENANT_OF[kind]).has(permission);

const isForToken = ({ row, who, name }: Cell & { who: TokenKind }): boolean =>
  row.for.includes(who) && grantable(who, permissionOfRoute[name]);

/** Each route with a token of each kind of tenant, for own, foreign and missing resources. */
export const tokenCellsOf = (name: string, row: Row): TokenCell[] =>
  row.for.includes('public')
    ? []
    : cellsOf(name, row).flatMap((cell): TokenCell[] => {
        const { who } = cell;
        if (!isTokenKind(who)) return [];
        // The resource is looked for as in other sessions, after the guard.
        if (!HAS_ALL_CELLS && (cell.target !== 'own' || !row.for.includes(who))) return [];
        const others: TokenCell = { ...cell, who, scopes: 'others' };
        // The permission is checked before the resource, so its refusal needs one of them.
        const refused = cell.target === 'own' ? [others] : [];
        const isAccepted = isForToken({ ...cell, who }) && (HAS_ALL_CELLS || !row.ends);
        return isAccepted ? [...refused, { ...others, scopes: 'exact' }] : refused;
      });

let created = 0;

/** Creates tokens of a tenant by its key, one for each list of scopes, and resolves to their clients once they are known to the server. */
export const createTokens = async (
  server: TestServer,
  owner: Extract<SessionOwner, { kind: TokenKind }>,
  scopeLists: readonly (readonly Permission[])[],
): Promise<Client[]> => {
  const secrets = scopeLists.map(() => newApiToken());
  const [at, expiresAt] = [new Date().toISOString(), new Date(Date.now() + 3_600_000).toISOString()];
  const commands = scopeLists.map((scopes, index) => {
    const name = `matrix ${++created}`;
    const tokenHash = apiTokenHash(secrets[index] ?? '');
    const data = { teamId: teamOf(owner), tokenId: apiTokenIdOf(name), name, scopes, expiresAt, tokenHash };
    return createApiToken(name, { ...data, networks: '', createdBy: null }, at);
  });
  const outcome = await server.product.commands.teams.handle(commands);
  if (!outcome.accepted) throw new Error(`The tokens were refused: ${outcome.refusal}`);
  const last = apiTokenHash(secrets.at(-1) ?? '');
  await eventually(
    () => server.product.queries.apiTokens.byHash(last),
    (found) => found !== null,
  );
  return secrets.map((secret) => clientOf(server.url, bearer(secret)));
};

/** The scopes of a cell's token. */
export const scopesOf = ({ who, name, scopes }: TokenCell): Permission[] => {
  const permission = permissionOfRoute[name];
  return [...tokenScopesOf(TENANT_OF[who])].filter((scope) => (scope === permission) === (scopes === 'exact'));
};
