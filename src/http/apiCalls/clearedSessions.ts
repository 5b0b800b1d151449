import type { Session } from '../../security/sessions.ts';
import type { HttpDeps } from '../deps.ts';
import { workable } from '../tool.ts';

/** Sessions that are remembered as checked; more are checked again. */
const REMEMBERED = 20_000;

/**
 * Checks once per session and node whether its user may use the command-line tool, and throws the problem if not. Later changes
 * end the session by event; this check catches sessions that a version without the rule opened.
 */
export const checkSessionsOnce = ({ commands }: Pick<HttpDeps, 'commands'>): ((session: Session) => Promise<void> | null) => {
  const cleared = new Set<string>();

  const check = async ({ hash, owner }: Session): Promise<void> => {
    if (owner.kind !== 'cli') throw new Error(`A session of kind ${owner.kind} records no API calls`);
    const { customerId, userId } = owner;
    workable((await commands.customers.load(customerId)).state, userId);
    const oldest = cleared.size >= REMEMBERED ? cleared.values().next().value : undefined;
    if (oldest !== undefined) cleared.delete(oldest);
    cleared.add(hash);
  };

  return (session) => (cleared.has(session.hash) ? null : check(session));
};
