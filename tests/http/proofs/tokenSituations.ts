import { MAX_API_TOKENS } from '../../../src/domain/limits.ts';
import { teamIdOf } from '../../../src/domain/team/teamId.ts';
import { newApiToken } from '../../../src/security/apiTokenFormat.ts';
import { asIntegrator, bearer, type Client, clientOf, newIntegrator, type Reply } from '../../support/apiClient.ts';
import { newTokenBody } from '../../support/apiTokens.ts';
import { apiTokenIdOf, type integratorIdOf } from '../../support/builders/ids.ts';
import { createApiToken } from '../../support/builders/teamCommands.ts';
import { type Caused, fromElsewhere, type Situation, type SituationContext } from './situation.ts';
import { MISSING } from './testAccounts.ts';

const TOKENS = '/api/tokens';

const call = ({ url }: SituationContext, token: string): Promise<Reply> =>
  clientOf(url, { ...bearer(token), ...fromElsewhere() }).get('/api/service-integrator/profile');

/** A token of a service integrator that no other situation uses. */
const newToken = async (
  { admin, url }: SituationContext,
  more: object = {},
): Promise<{ partner: Client; id: string; secret: string; tokenId: string }> => {
  const integrator = await newIntegrator(admin, { companyName: 'Tokens' });
  const partner = await asIntegrator(url, integrator);
  const { body } = await partner.post(TOKENS, { ...newTokenBody(['profile:read'], 'any'), ...more });
  return { partner, id: integrator.id, secret: body.secret, tokenId: body.token.tokenId };
};

/** What is refused about API tokens. */
export const tokenSituations = {
  api_token_malformed: {
    cause: (context) => call(context, newApiToken().slice(0, -1)),
    status: 401,
    error: 'This is not a complete API token. Copy it again.',
  },
  api_token_unknown: { cause: (context) => call(context, newApiToken()), status: 401, error: 'Unknown API token' },
  api_token_revoked: {
    cause: async (context) => {
      const { partner, secret, tokenId } = await newToken(context);
      await partner.delete(`${TOKENS}/${tokenId}`);
      return call(context, secret);
    },
    status: 401,
    error: 'This API token was revoked. Create a new one.',
  },
  api_token_expired: {
    cause: async (context) => {
      const { secret } = await newToken(context, { expiresAt: new Date(Date.now() + 60_000).toISOString() });
      return context.aMinuteLater(() => call(context, secret));
    },
    status: 401,
    error: 'This API token has expired. Create a new one.',
  },
  api_token_address_refused: {
    cause: async (context) => call(context, (await newToken(context, { networks: ['198.51.100.0/24'] })).secret),
    status: 403,
    error: 'This API token does not accept requests from this address.',
  },
  api_token_not_found: {
    cause: ({ mine }) => mine.partner.delete(`${TOKENS}/${MISSING}`),
    status: 404,
    error: 'API token not found',
  },
  api_token_name_taken: {
    cause: async (context) => (await newToken(context)).partner.post(TOKENS, newTokenBody(['profile:read'], 'ANY')),
    status: 409,
    error: 'Another API token has this name. Choose another one.',
  },
  api_token_limit_reached: {
    cause: async (context) => {
      const { partner, id } = await newToken(context);
      const teamId = teamIdOf({ kind: 'integrator', integratorId: id as ReturnType<typeof integratorIdOf> });
      const { expiresAt } = newTokenBody([], '');
      const commands = Array.from({ length: MAX_API_TOKENS - 1 }, (_, index) => {
        const name = `token ${index}`;
        const tokenId = apiTokenIdOf(`${id} ${name}`);
        return createApiToken(name, { teamId, tokenId, createdBy: null, expiresAt }, new Date().toISOString());
      });
      await context.server.product.commands.teams.handle(commands);
      return partner.post(TOKENS, newTokenBody(['profile:read'], 'one more'));
    },
    status: 409,
    error: 'There are 100 API tokens, the maximum. Revoke one first.',
  },
  api_token_scopes_refused: {
    cause: ({ mine }) => mine.partner.post(TOKENS, newTokenBody(['members:write'], 'more')),
    status: 400,
    error: 'An API token can only have permissions that you have, and none that creates further access or reads keys.',
  },
  api_token_expiry_refused: {
    cause: ({ mine }) =>
      mine.partner.post(TOKENS, { ...newTokenBody(['profile:read'], 'long'), expiresAt: '2999-01-01T00:00:00.000Z' }),
    status: 400,
    error: 'An API token must expire in the future, and within one year.',
  },
} satisfies Partial<Record<Caused, Situation>>;
