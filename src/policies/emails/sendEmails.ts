import type { Commands } from '../../commands/commands.ts';
import { streams } from '../../commands/streams.ts';
import { type Customer, isRegistered } from '../../domain/customer/state.ts';
import type { TeamId } from '../../domain/ids.ts';
import { EMAILS_PER_HOUR } from '../../domain/limits.ts';
import { DAY_MS, HOUR_MS } from '../../domain/time.ts';
import type { EventStore, StreamName } from '../../eventstore/port.ts';
import { type Backoff, backoffMs } from '../../flow/backoff.ts';
import type { SendEmail } from '../../outbound/smtp.ts';
import { type Policy, type PolicyContext, policyOn } from '../engine/policy.ts';
import type { Brand } from './brand.ts';
import { render } from './layout.ts';
import { NOTIFIED_TYPES, type Notified } from './message.ts';
import { keyOf, messageOf } from './messages.ts';
import { customerOf, type Entry, entryOf, POLICY, teamOf, textOf } from './outbox.ts';

/** How long a sent email is remembered, so that a repeated event does not send it again, and a failed one for the health check. */
const KEPT_MS = 7 * DAY_MS;
const BACKOFF = { firstMs: 30_000, mostMs: HOUR_MS } as const;
/** The prefix of notes that count the emails to one address. */
const RECIPIENT = 'recipient:';

type Deps = Readonly<{
  /** Null if no mail server is configured. */
  send: SendEmail | null;
  commands: Pick<Commands, 'teams' | 'alerts' | 'customers'>;
  events: Pick<EventStore, 'read'>;
  brandOf: (teamId: TeamId) => Promise<Brand>;
  invitationSecret: Buffer;
  /** Names an address without disclosing it. */
  fingerprint: (address: string) => string;
  /** From 0 up to 1. */
  random: () => number;
  backoff?: Backoff;
}>;

/**
 * Emails members, and the contacts of customers without named users, what they are notified of. An email is a note until it is sent. It is sent once, unless the process or the connection
 * ends between the server's acceptance and the note of it: then it is sent again with the same Message-ID. A mail server that cannot be
 * used is a failure of the policy, which health reports; an address that is rejected delays its own email only.
 */
export const sendEmails = ({
  send,
  commands,
  events,
  brandOf,
  invitationSecret,
  fingerprint,
  random,
  backoff = BACKOFF,
}: Deps): Policy => {
  const eventOf = async ({ stream, revision }: Entry): Promise<Notified | null> => {
    for await (const recorded of events.read<Notified['event']>(stream, { from: revision })) return recorded;
    return null;
  };

  const customerIn = async ({ event }: Notified, stream: StreamName): Promise<Customer | null> => {
    const customerId = 'concernedId' in event.data ? event.data.concernedId : customerOf(stream);
    if (!customerId) return null;
    const { state } = await commands.customers.load(customerId);
    return isRegistered(state) ? state : null;
  };

  /** The email as it is to be sent now; null if the recipient is gone or it is no longer true. */
  const composed = async (recorded: Notified, { stream, userId }: Entry) => {
    const teamId = teamOf(stream);
    const { state: team } = await commands.teams.load(teamId);
    const customer = await customerIn(recorded, stream);
    const member = userId ? team.members.get(userId) : null;
    const message = messageOf(recorded);
    const user = userId && message?.toUser ? customer?.users.get(userId) : undefined;
    const to = userId
      ? (user && { name: user.username, address: user.email }) || (member && { name: member.name, address: member.email })
      : customer && { name: customer.name, address: customer.contactEmail };
    if (!to) return null;
    const brand = await brandOf(teamId);
    const rules = stream === streams.alerts ? (await commands.alerts.load('alerts')).state : null;
    const content = message?.compose({ member: member ?? null, team, brand, customer, rules, invitationSecret });
    return content ? { ...render(brand, content), fromName: brand.name, to } : null;
  };

  /** When the next email may go to the address, ms since 1970. */
  const freeAt = async (address: string, { notes, now }: PolicyContext): Promise<number> => {
    const sent = timesOf((await notes.get(RECIPIENT + fingerprint(address)))?.value);
    return sent.length < EMAILS_PER_HOUR ? now() : Number(sent.at(-EMAILS_PER_HOUR)) + HOUR_MS;
  };

  const countSent = async (address: string, { notes, now }: PolicyContext): Promise<void> => {
    const key = RECIPIENT + fingerprint(address);
    const sent = timesOf((await notes.get(key))?.value).filter((at) => at > now() - HOUR_MS);
    await notes.put(key, [...sent, now()].join(','), new Date(now() + HOUR_MS));
  };

  const deliver = async (sendEmail: SendEmail, key: string, entry: Entry, context: PolicyContext): Promise<void> => {
    const { notes, now } = context;
    const put = (changed: Partial<Entry>, dueAt: number): Promise<void> =>
      notes.put(key, textOf({ ...entry, ...changed }), new Date(dueAt));
    const recorded = await eventOf(entry);
    const message = recorded && messageOf(recorded);
    if (!message) return;
    if (now() >= message.expiresAt) return put({ state: 'failed', reason: entry.reason || 'it was too late' }, now() + KEPT_MS);
    const email = await composed(recorded, entry);
    if (!email) return;
    const free = await freeAt(email.to.address, context);
    if (free > now()) return put({}, free);
    const delivery = await sendEmail({ ...email, id: key.replace(':', '.') });
    if (delivery.kind === 'sent') {
      await put({ state: 'sent' }, now() + KEPT_MS);
      return countSent(email.to.address, context);
    }
    const { reason } = delivery;
    const attempts = entry.attempts + 1;
    if (delivery.kind === 'rejected' && delivery.isPermanent) return put({ state: 'failed', attempts, reason }, now() + KEPT_MS);
    await put({ attempts, reason }, now() + backoffMs(entry.attempts, backoff, random));
    if (delivery.kind === 'unavailable') throw new Error(reason);
  };

  return policyOn({
    name: POLICY,
    eventTypes: NOTIFIED_TYPES,
    react: async (recorded, { notes, now }) => {
      const message = messageOf(recorded);
      if (!send || !message || now() >= message.expiresAt) return;
      const { stream, revision } = recorded;
      const { state: team } = await commands.teams.load(teamOf(stream));
      for (const userId of message.recipients(team)) {
        const key = keyOf(recorded, userId);
        if (await notes.get(key)) continue;
        const entry: Entry = { state: 'pending', attempts: 0, stream, revision, userId, reason: '' };
        await notes.put(key, textOf(entry), new Date(now()));
      }
    },
    onDue: async ({ key, value }, context) => {
      if (!send || key.startsWith(RECIPIENT)) return;
      const entry = entryOf(value);
      if (entry.state === 'pending') await deliver(send, key, entry, context);
    },
  });
};

const timesOf = (text: string | undefined): number[] => (text ? text.split(',').map(Number) : []);
