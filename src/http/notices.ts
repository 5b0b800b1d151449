import type { FastifyRequest } from 'fastify';
import { noticeId as noticeIdField } from '../contracts/fields.ts';
import type { NoticeId, TeamId, UserId } from '../domain/ids.ts';
import { tenantOfTeam } from '../domain/team/teamId.ts';
import { dayOf } from '../domain/time.ts';
import { clientAddressOf, networksOf } from '../security/clientNetworks.ts';
import type { HttpDeps } from './deps.ts';
import { actorOfTenant } from './principal.ts';
import { accepted } from './replies.ts';
import { browserOf } from './requests/browser.ts';
import { followUp, metaOf, newIdFor, uuidOf } from './requests/meta.ts';
import { markBreakGlass } from './requests/signIns.ts';

/** The client as a notice names it. */
const clientOf = (request: FastifyRequest) => ({
  address: clientAddressOf(request.ip),
  browser: browserOf(request.headers['user-agent']),
});

const noticeIdOf = (...words: readonly string[]): NoticeId => noticeIdField.parse(uuidOf('notice', ...words));

/**
 * Asks the team's policy whether a right key signs in; in an emergency it is recorded once for each sign-in, and every owner is notified.
 * The last check of a sign-in with a key. Throws `key_sign_in_off`.
 */
export const admitKey = async (
  { commands }: Pick<HttpDeps, 'commands'>,
  request: FastifyRequest,
  teamId: TeamId,
): Promise<void> => {
  const meta = metaOf(request, actorOfTenant(tenantOfTeam(teamId)));
  const day = dayOf(meta.at).replaceAll('-', '');
  const data = { teamId, noticeId: noticeIdOf(newIdFor(request, 'key sign-in')), day, ...clientOf(request) };
  const { position } = accepted(await commands.teams.handle({ type: 'RecordKeySignIn', data, meta }));
  if (position !== null) markBreakGlass(request);
};

/** Notifies a member who signs in with a browser, or from an address, that is new. */
export const noticePlace = async (
  { commands, signInLocations }: Pick<HttpDeps, 'commands' | 'signInLocations'>,
  request: FastifyRequest,
  { teamId, userId }: { teamId: TeamId; userId: UserId },
): Promise<void> => {
  const client = clientOf(request);
  const location = await signInLocations.find(userId, client.browser, networksOf(request.ip).address);
  if (location.isNew) {
    const meta = followUp(metaOf(request, actorOfTenant(tenantOfTeam(teamId), userId)), 'new place');
    const data = { teamId, userId, noticeId: noticeIdOf(userId, location.occasion), ...client };
    accepted(await commands.teams.handle({ type: 'NoticeNewSignIn', data, meta }));
  }
  await signInLocations.remember(userId, location);
};

/** Counts a wrong code that followed the right password of a member, who is notified of several within an hour. */
export const noticeWrongCode = async (
  { commands, signInLocations }: Pick<HttpDeps, 'commands' | 'signInLocations'>,
  request: FastifyRequest,
  { teamId, userId }: { teamId: TeamId; userId: UserId },
): Promise<void> => {
  const since = await signInLocations.wrongCode(userId);
  if (since === null) return;
  const meta = metaOf(request, { kind: 'system', id: 'sign-in' });
  const data = { teamId, userId, noticeId: noticeIdOf(userId, 'wrong codes', since), ...clientOf(request) };
  await commands.teams.handle({ type: 'NoticeWrongCodes', data, meta });
};
