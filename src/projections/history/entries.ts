import type { HistoryRow, Values } from '../../database/tables/history.ts';
import type { AnyEvent } from '../../domain/events.ts';
import type { CredentialId, CustomerId, IntegratorId, ThemeId, UserId } from '../../domain/ids.ts';
import { ACTOR_ADDRESS } from '../../eventstore/port.ts';
import type { RecordedEvent } from '../engine/recordedEvent.ts';
import type { MainRows } from '../main/rows.ts';
import { type HistoryType, isHistoryType, summaryOf, withoutPersonalData } from './sentences.ts';

/** Whom an entry is about, and the values after and before the event. */
export type Entry = Readonly<{
  customerId?: CustomerId;
  integratorId?: IntegratorId;
  themeId?: ThemeId;
  memberId?: UserId;
  credentialId?: CredentialId;
  now?: Values;
  before?: Values;
}>;

/** The user of the tool, or named user, whom an event is about. */
const userOf = (data: AnyEvent['data']): UserId | null => ('userId' in data ? data.userId : null);

/** The service integrator of a new customer is in its event: the customer has no row before. Alerts are for administrators only. */
const auditIntegratorOf = ({ type, data }: AnyEvent, rows: MainRows, { customerId, integratorId }: Entry): IntegratorId | null => {
  if (integratorId !== undefined) return integratorId;
  if (customerId === undefined || type === 'AlertFired' || type === 'AlertResolved') return null;
  return rows.customers.get(customerId)?.integrator_id ?? ('integratorId' in data ? data.integratorId : null);
};

/** Adds the entry of an event with its sentence. */
export const record = (recorded: RecordedEvent<AnyEvent & { type: HistoryType }>, rows: MainRows, entry: Entry): void => {
  const { type } = recorded.event;
  const facts = { now: entry.now ?? {}, before: entry.before ?? {} };
  rows.history.put({
    position: String(recorded.position),
    revision: String(recorded.revision),
    id: recorded.id,
    customer_id: entry.customerId ?? null,
    integrator_id: entry.integratorId ?? null,
    theme_id: entry.themeId ?? null,
    user_id: userOf(recorded.event.data),
    member_id: entry.memberId ?? null,
    credential_id: entry.credentialId ?? null,
    audit_integrator_id: auditIntegratorOf(recorded.event, rows, entry),
    correlation_id: recorded.correlationId,
    reverts: recorded.reverts ?? null,
    at: recorded.at,
    category: recorded.category,
    type,
    actor_kind: recorded.actor.kind,
    actor_id: recorded.actor.id,
    actor_user_id: recorded.actor.userId ?? null,
    actor_token_id: recorded.actor.tokenId ?? null,
    actor_session_id: recorded.actor.sessionId ?? null,
    actor_method: recorded.actor.method ?? null,
    actor_address_sealed: recorded.sealed[ACTOR_ADDRESS] ?? null,
    summary: summaryOf(type, facts, recorded.reverts !== undefined),
    facts,
  });
};

/** Removes the personal data of an entry. */
export const removePersonalData = (row: Readonly<HistoryRow>, rows: MainRows): void => {
  const facts = withoutPersonalData(row.facts);
  if (isHistoryType(row.type)) rows.history.change(row, { facts, summary: summaryOf(row.type, facts, row.reverts !== null) });
};

/** An entry that says only what happened to a customer. */
export const ofCustomer = (recorded: RecordedEvent<AnyEvent & { type: HistoryType }, CustomerId>, rows: MainRows): void =>
  record(recorded, rows, { customerId: recorded.subject });

/** The name of a user as it is now; null of an unknown one. */
export const usernameOf = (rows: MainRows, userId: string): string | null => rows.users.get(userId)?.username ?? null;
