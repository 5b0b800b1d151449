import type { ActorKind } from '../../domain/event.ts';
import type { ApiTokenId, CredentialId, CustomerId, IntegratorId, SessionId, ThemeId, UserId } from '../../domain/ids.ts';
import type { SignInMethod } from '../../domain/signIns/methods.ts';
import { defineTable, json, nullable, position, type RowOf, text, timestamptz, uuid } from './defineTable.ts';

/** A value of a field before or after a change. */
export type Value = string | number | boolean | null;
/** Fields of an event as the history shows them, by name. */
export type Values = { readonly [field: string]: Value };
/** The values that an entry is written from: after the event, and those before it that may have changed. */
export type Facts = { now: Values; before: Values };

/** Entries of a customer, of an integrator, or of a theme, which concern the customers that have it too. */
export const historyTable = defineTable('read.history', {
  key: ['position', 'revision'],
  owners: ['customer_id', 'integrator_id', 'member_id', 'user_id'],
  isLog: true,
  columns: {
    position: position(),
    revision: position(),
    id: uuid(),
    customer_id: nullable(uuid<CustomerId>()),
    integrator_id: nullable(uuid<IntegratorId>()),
    theme_id: nullable(uuid<ThemeId>()),
    /** The user of the tool, or named user, whom the entry is about. */
    user_id: nullable(uuid<UserId>()),
    /** The named user whom the entry is about. */
    member_id: nullable(uuid<UserId>()),
    /** The credential that the entry is about. */
    credential_id: nullable(uuid<CredentialId>()),
    /** The service integrator whose audit page has the entry: of the customer, or of the integrator itself. */
    audit_integrator_id: nullable(uuid<IntegratorId>()),
    /** Equal for all entries that one request caused. */
    correlation_id: nullable(text()),
    /** The entry that this one takes back. */
    reverts: nullable(uuid()),
    at: timestamptz(),
    category: text(),
    type: text(),
    actor_kind: text<ActorKind>(),
    actor_id: text(),
    /** The named user of the actor. */
    actor_user_id: nullable(uuid<UserId>()),
    /** The API token of the actor. */
    actor_token_id: nullable(uuid<ApiTokenId>()),
    /** The session in which the actor acted. */
    actor_session_id: nullable(uuid<SessionId>()),
    actor_method: nullable(text<SignInMethod>()),
    /** The envelope of the event, which opens only as long as the address is not erased. */
    actor_address_sealed: nullable(text()),
    summary: text(),
    facts: json<Facts>(),
  },
});

/** An entry of the history in a projection's memory. */
export type HistoryRow = RowOf<typeof historyTable>;

/** From when to when a customer had a custom theme. */
export const themeSpanTable = defineTable('read.theme_span', {
  key: ['customer_id', 'from_position'],
  owners: ['customer_id'],
  columns: {
    customer_id: uuid<CustomerId>(),
    theme_id: uuid<ThemeId>(),
    from_position: position(),
    to_position: nullable(position()),
  },
});

/** A period in which a customer had a custom theme, in a projection's memory. */
export type ThemeSpanRow = RowOf<typeof themeSpanTable>;
