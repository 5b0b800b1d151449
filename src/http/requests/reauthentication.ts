import type { FastifyRequest } from 'fastify';
import { RECENT_MS } from '../../domain/limits.ts';
import type { Session } from '../../security/session.ts';
import type { Sessions } from '../../security/sessions.ts';
import type { ConditionalProof } from '../principal.ts';
import { HttpProblem } from '../problems/problems.ts';

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

/** Expects a recent authentication where the request changes the value of the field that the route declares as `reauthentication`. */
export const expectRecentFor = async (
  deps: Deps,
  { session, routeOptions }: FastifyRequest,
  field: ConditionalProof,
  { before, after }: Readonly<{ before: string | null; after: string | undefined }>,
): Promise<void> => {
  if (!session || after === undefined || after === before) return;
  if (routeOptions.config.reauthentication !== field) {
    throw new Error(`${routeOptions.url} does not declare that it may ask for a recent authentication`);
  }
  await expectRecent(deps, session);
};
