import { customerId, integratorId } from '../../../src/contracts/fields.ts';
import { teamOf } from '../../../src/http/principal.ts';
import { apiTokenHash, newApiToken } from '../../../src/security/apiTokenFormat.ts';
import type { SessionOwner } from '../../../src/security/session.ts';
import { asTool, type Client } from '../../support/apiClient.ts';
import { apiTokenIdOf } from '../../support/builders/ids.ts';
import { createApiToken } from '../../support/builders/teamCommands.ts';
import { eventually } from '../../support/eventually.ts';
import { inviteUser } from '../../support/members.ts';
import type { TestServer } from '../../support/server.ts';
import type { TestTenant } from './testAccounts.ts';

/** What belongs to one team, so that administrators see that of their own team only. */
export type TeamResource = 'member' | 'session' | 'api_token';
/** The kinds of sessions whose tenants have a team. */
export type TeamKind = 'admin' | 'integrator' | 'customer';

/** The parameters of addresses that name a resource of a team. */
export const TEAM_PARAMETERS = { member: ':userId', session: ':sessionId', api_token: ':tokenId' } as const;

let created = 0;

/** The tenant's key as the owner of a session. */
export const ownerIn = ({ ids }: Pick<TestTenant, 'ids'>, kind: TeamKind): Extract<SessionOwner, { kind: TeamKind }> => {
  const [integrator, customer] = [integratorId.parse(ids.integrator), customerId.parse(ids.customer)];
  if (kind === 'admin') return { kind };
  return kind === 'integrator' ? { kind, integratorId: integrator } : { kind, integratorId: integrator, customerId: customer };
};

const newMember = async (server: TestServer, admin: Client, tenant: TestTenant, kind: TeamKind): Promise<string> => {
  created += 1;
  if (kind === 'customer') {
    const { userId } = await asTool(server.url, tenant.customer, `member-${created}`);
    return (await inviteUser(tenant.portal, userId)).userId;
  }
  const member = { name: 'Guest', email: `member-${created}@house.example`, role: 'auditor' };
  const { body } = await (kind === 'admin' ? admin : tenant.partner).post('/api/team/members', member);
  return body.member.userId;
};

const newToken = async (server: TestServer, tenant: TestTenant, kind: TeamKind): Promise<string> => {
  created += 1;
  const [name, hash] = [`resource ${created}`, apiTokenHash(newApiToken())];
  const [at, expiresAt] = [new Date().toISOString(), new Date(Date.now() + 3_600_000).toISOString()];
  const scopes = ['ownSession:read'] as const;
  const data = { teamId: teamOf(ownerIn(tenant, kind)), tokenId: apiTokenIdOf(name), name, scopes, expiresAt, tokenHash: hash };
  const outcome = await server.product.commands.teams.handle([
    createApiToken(name, { ...data, networks: '', createdBy: null }, at),
  ]);
  if (!outcome.accepted) throw new Error(`The token was refused: ${outcome.refusal}`);
  await eventually(
    () => server.product.queries.apiTokens.byHash(hash),
    (found) => found !== null,
  );
  return data.tokenId;
};

/** The id of a new resource of the team of a kind of tenant. The member is invited and has not joined. */
export const newTeamResource = async (
  server: TestServer,
  admin: Client,
  { tenant, kind, resource }: { tenant: TestTenant; kind: TeamKind; resource: TeamResource },
): Promise<string> => {
  switch (resource) {
    case 'member':
      return newMember(server, admin, tenant, kind);
    case 'session':
      return (await server.product.sessions.open(ownerIn(tenant, kind))).session.id;
    case 'api_token':
      return newToken(server, tenant, kind);
  }
};
