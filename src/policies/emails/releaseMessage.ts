import type { EventsByCategory } from '../../domain/events.ts';
import type { Recorded } from '../../eventstore/port.ts';
import { RELEASE_IDLE_SEATS } from '../releaseIdleSeats.ts';
import { type Message, NOTICE_MS } from './message.ts';

type Deactivated = EventsByCategory['customer'] & { type: 'UserDeactivated' };

/** An email to a user whose seat was released because it was idle; null for a user who was deactivated for another reason. */
export const releaseMessage = ({ event: { data }, meta }: Recorded<Deactivated>): Message | null => {
  if (meta.actor.kind !== 'system' || meta.actor.id !== RELEASE_IDLE_SEATS) return null;
  return {
    recipients: () => [data.userId],
    toUser: true,
    expiresAt: Date.parse(meta.at) + NOTICE_MS,
    compose: ({ brand, customer }) => {
      const user = customer?.users.get(data.userId);
      if (!customer || user?.status !== 'inactive') return null;
      return {
        subject: `${brand.name}: your seat was released`,
        greeting: `Hello ${user.username},`,
        paragraphs: [
          `${data.reason}. The command-line tool and the portal of ${customer.name} cannot be used with your account until you are activated again.`,
        ],
        action: { label: 'Open the portal', url: `${brand.origin}/portal` },
        closing: `An administrator of ${customer.name} can activate you again. Nothing that was recorded is lost.`,
      };
    },
  };
};
