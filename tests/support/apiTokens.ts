import { bearer, type Client, clientOf } from './apiClient.ts';

/** The body of a new API token that expires in an hour. */
export const newTokenBody = (scopes: readonly string[], name: string) => ({
  name,
  scopes,
  expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
});

/** A client with an API token, and its name in replies. */
export type TokenClient = Client & { secret: string; tokenId: string };

let tokens = 0;

/** Creates an API token as `owner`, with a name of its own unless `more` has one, and a client that uses it at `url`. */
export const newTokenClient = async (
  url: string,
  owner: Client,
  scopes: readonly string[],
  more: { name?: string; expiresAt?: string; networks?: readonly string[] } = {},
): Promise<TokenClient> => {
  tokens += 1;
  const { status, body } = await owner.post('/api/tokens', { ...newTokenBody(scopes, `Token ${tokens}`), ...more });
  if (status !== 201) throw new Error(`The API token was refused with ${status}: ${JSON.stringify(body)}`);
  return { ...clientOf(url, bearer(body.secret)), secret: body.secret, tokenId: body.token.tokenId };
};
