import type { FastifyRequest } from 'fastify';
import type { Session } from '../../security/session.ts';
import type { Sessions } from '../../security/sessions.ts';
import { HttpProblem } from '../problems/problems.ts';

/** How long after a proof of who the user is a session may make the calls that ask for a recent one, in ms. */
export const RECENT_MS = 10 * 60_000;

type Deps = Readonly<{ sessions: Pick<Sessions, 'authenticatedAt'>; now: () => number }>;

/**
 * Throws `reauthentication_required` if the user of a console's session has not proved within ten minutes who they are. Tools and API
 * tokens are not asked. What the node remembers may be older than a renewal on another node, so the database decides.
 */
export const expectRecent = async ({ sessions, now }: Deps, { hash, owner, authenticatedAt }: Session): Promise<void> => {
  const isRecent = (at: number | null): boolean => at !== null && now() - at < RECENT_MS;
  if (
    owner.kind === 'cli' ||
    owner.tokenId !== undefined ||
    isRecent(authenticatedAt) ||
    isRecent(await sessions.authenticatedAt(hash))
  )
    return;
  throw new HttpProblem('reauthentication_required');
};

/** The same, for a route that declares `reauthentication: 'contactEmail'`, where the request changes the address. */
export const expectRecentForEmail = async (
  deps: Deps,
  { session, routeOptions }: FastifyRequest,
  { before, after }: Readonly<{ before: string | null; after: string | undefined }>,
): Promise<void> => {
  if (!session || after === undefined || after === before) return;
  if (routeOptions.config.reauthentication !== 'contactEmail') {
    throw new Error(`${routeOptions.url} does not declare that it may ask for a recent authentication`);
  }
  await expectRecent(deps, session);
};
