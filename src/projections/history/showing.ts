import { sql } from 'kysely';
import type { HistoryEntry } from '../../contracts/history.ts';
import type { Database } from '../../database/database.ts';
import type { Facts } from '../../database/tables/history.ts';
import { type ActorKind, ERASED } from '../../domain/event.ts';
import type { ApiTokenId, CustomerId, IntegratorId, SessionId, UserId } from '../../domain/ids.ts';
import { isUuid } from '../../domain/ids.ts';
import type { SignInMethod } from '../../domain/signIns/methods.ts';
import type { ApiTokenQueries } from '../apiTokens/queries.ts';
import type { QueryDeps } from '../queryDeps.ts';
import type { TeamQueries } from '../team/queries.ts';
import { changesOf } from './sentences.ts';

/** A row of the history as it is read. */
export type EntryRow = Omit<HistoryEntry, 'actor' | 'at' | 'changes'> & {
  revision: string;
  at: Date;
  actor_kind: ActorKind;
  actor_id: string;
  actor_user_id: UserId | null;
  actor_token_id: ApiTokenId | null;
  actor_session_id: SessionId | null;
  actor_method: SignInMethod | null;
  actor_address_sealed: string | null;
  facts: Facts;
};

/** Who reads a history. Named users and API tokens whom the reader may not see have the name of their tenant. */
export type HistoryReader = Readonly<{
  kind: 'admin' | 'integrator' | 'customer';
  team: Pick<TeamQueries, 'names' | 'actorsIn'>;
  apiTokens: Pick<ApiTokenQueries, 'names'>;
}>;

/** The columns of `EntryRow`, of `read.history h`. */
export const SHOWN = sql`h.id, h.at, h.type, h.actor_kind, h.actor_id, h.actor_user_id, h.actor_token_id, h.actor_session_id,
  h.actor_method, h.actor_address_sealed, h.summary, h.facts, h.position::text as position, h.revision::text as revision`;

const NAMES: Record<ActorKind, string> = {
  admin: 'Administrator',
  integrator: 'Service integrator',
  customer: 'Customer',
  user: 'Removed user',
  system: 'System',
};
const REMOVED_USER = NAMES.user;

/** Whether the reader may know how and from where such an actor acted: nobody sees that of those above itself. */
const sees = ({ kind }: HistoryReader, actor: ActorKind): boolean =>
  kind === 'admin' || (actor !== 'admin' && (kind === 'integrator' || actor !== 'integrator'));

/** Who acted. */
export type ActorColumns = Pick<EntryRow, 'actor_kind' | 'actor_id' | 'actor_user_id' | 'actor_token_id'>;

/** The present names of the actors; a deleted or removed actor has none. */
export const namesOf = async (
  db: Database,
  { team, apiTokens }: HistoryReader,
  rows: readonly ActorColumns[],
): Promise<Map<string, string>> => {
  const ids = (kind: ActorKind): string[] => [
    ...new Set(rows.filter((row) => row.actor_kind === kind && isUuid(row.actor_id)).map((row) => row.actor_id)),
  ];
  const [integrators, customers, users] = [ids('integrator'), ids('customer'), ids('user')];
  const names = await Promise.all([
    integrators.length > 0
      ? db
          .selectFrom('read.integrator')
          .select(['integrator_id as id', 'company_name as name'])
          .where('integrator_id', 'in', integrators as IntegratorId[])
          .execute()
      : [],
    customers.length > 0
      ? db
          .selectFrom('read.customer')
          .select(['customer_id as id', 'name'])
          .where('customer_id', 'in', customers as CustomerId[])
          .execute()
      : [],
    users.length > 0
      ? db
          .selectFrom('read.portal_user')
          .select(['user_id as id', 'username as name'])
          .where('user_id', 'in', users as UserId[])
          .execute()
      : [],
    team.names([...new Set(rows.flatMap(({ actor_user_id }) => actor_user_id ?? []))]),
    apiTokens.names([...new Set(rows.flatMap(({ actor_token_id }) => actor_token_id ?? []))]),
  ]);
  return new Map(names.flat().map(({ id, name }) => [id, name]));
};

/** The name of an actor: of its API token, its named user, who may be removed, its tenant or its kind. */
export const nameOf = (
  names: ReadonlyMap<string, string>,
  reader: HistoryReader,
  { actor_kind, actor_id, actor_user_id, actor_token_id }: ActorColumns,
): string => {
  const isRemoved = actor_token_id === null && actor_user_id !== null && sees(reader, actor_kind);
  const ofTenant = isRemoved ? REMOVED_USER : (names.get(actor_id) ?? NAMES[actor_kind]);
  return names.get(actor_token_id ?? actor_user_id ?? actor_id) ?? ofTenant;
};

/** What opens the addresses of actors. */
export type Opening = Pick<QueryDeps, 'openAddress'>;

/** The address of an actor; null where it is unknown or erased. */
const addressOf = async ({ openAddress }: Opening, row: EntryRow): Promise<string | null> => {
  const { at, type, actor_kind: kind, actor_id: id, actor_user_id: userId, actor_address_sealed: sealed } = row;
  if (sealed === null) return null;
  const address = await openAddress({ kind, id, ...(userId !== null && { userId }) }, at.toISOString(), type, sealed);
  return address === ERASED ? null : address;
};

/** Rows as entries, for a reader. */
export const shown = async (
  db: Database,
  opening: Opening,
  reader: HistoryReader,
  rows: readonly EntryRow[],
): Promise<HistoryEntry[]> => {
  const names = await namesOf(db, reader, rows);
  return Promise.all(
    rows.map(async (row) => {
      const { id, at, type, actor_kind: kind, actor_id, summary, facts, position } = row;
      const name = nameOf(names, reader, row);
      const isSeen = sees(reader, kind);
      const [userId, sessionId, method] = isSeen ? [row.actor_user_id, row.actor_session_id, row.actor_method] : [null, null, null];
      const address = isSeen ? await addressOf(opening, row) : null;
      return {
        id,
        at: at.toISOString(),
        type,
        actor: { kind, id: actor_id, name, userId, sessionId, method, address },
        summary,
        changes: changesOf(facts),
        position,
      };
    }),
  );
};
