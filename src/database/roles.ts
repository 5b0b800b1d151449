import pg from 'pg';

/** Roles without login that scope a session: a connection assumes one when it starts. */
export const SCOPES = {
  /** Reads the rows of the transaction's tenant; none if no tenant is set. */
  tenant: 'latchkey_tenant',
  /** Reads and writes every row: administrators, projections, policies, sign-ins. It may not change a schema. */
  system: 'latchkey_system',
} as const;

/**
 * What each is created with. The system's role bypasses the policies: below any policy, even one that is `true`, PostgreSQL uses no
 * statistics for LIKE, and searches take several times as long.
 */
export const SCOPE_ATTRIBUTES: Readonly<Record<(typeof SCOPES)[keyof typeof SCOPES], string>> = {
  [SCOPES.tenant]: 'nologin',
  [SCOPES.system]: 'nologin bypassrls',
};

/** The URLs of one PostgreSQL database by purpose. */
export type DatabaseUrls = Readonly<{
  /** Migrations and rebuilds of read models. */
  owner: string;
  system: string;
  tenant: string;
}>;

/** Problems of the roles of DATABASE_URL and DATABASE_OWNER_URL; each message says what to do. */
export type RoleFinding = Readonly<{ code: 'superuser' | 'may_change_schema' | 'no_row_security' | 'no_owner'; message: string }>;

const OPTIONS = /([?&])options=([^&#]*)/;

/** The URL with which a session has the rights of the role from its start, and only those. */
const asRole = (url: string, role: string): string => {
  const [, , options] = OPTIONS.exec(url) ?? [];
  const all = `${options === undefined ? '' : `${decodeURIComponent(options)} `}-c role=${role}`;
  const bare = url.replace(OPTIONS, '$1').replace(/[?&]$/, '');
  return `${bare}${bare.includes('?') ? '&' : '?'}options=${encodeURIComponent(all)}`;
};

type Attributes = { name: string; superuser: boolean; bypasses: boolean; creates: boolean; takesOn: readonly string[] };

const ATTRIBUTES = `
  select rolname as name, rolsuper as superuser, rolbypassrls as bypasses,
    has_database_privilege(current_database(), 'create') as creates,
    (select coalesce(json_agg(r.rolname), '[]') from pg_roles r where r.rolname = any($1::text[]) and pg_has_role(r.oid, 'member')) as "takesOn"
  from pg_roles where rolname = current_user`;

const connected = async <Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> => {
  const client = new pg.Client({ connectionString: url, application_name: 'latchkey-roles', connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // the current query reports it
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
};

const attributesOf = async (client: pg.Client): Promise<Attributes> => {
  const { rows } = await client.query<Attributes>(ATTRIBUTES, [Object.values(SCOPES)]);
  const [found] = rows;
  if (!found) throw new Error('PostgreSQL does not list the role of this session');
  return found;
};

/** SQLSTATEs of a role that another start has created, or that this login may not create or grant. */
const [DUPLICATE, UNIQUE, FORBIDDEN] = ['42710', '23505', '42501'];

/** False where this login may not do it. */
const attempt = async (client: pg.Client, statement: string): Promise<boolean> => {
  try {
    await client.query(statement);
    return true;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== DUPLICATE && code !== UNIQUE && code !== FORBIDDEN) throw error;
    return code !== FORBIDDEN;
  }
};

/** Creates the scopes' roles and grants them to the application's login, as far as the owner's login is allowed to. */
const createScopes = async (owner: pg.Client, login: Attributes): Promise<void> => {
  const { rows } = await owner.query<{ rolname: string }>('select rolname from pg_roles where rolname = any($1::text[])', [
    Object.values(SCOPES),
  ]);
  const existing = new Set(rows.map(({ rolname }) => rolname));
  for (const scope of Object.values(SCOPES)) {
    const isThere = existing.has(scope) || (await attempt(owner, `create role ${scope} ${SCOPE_ATTRIBUTES[scope]}`));
    if (!isThere) await attempt(owner, `create role ${scope} nologin`); // BYPASSRLS is not every owner's to grant
    if (!login.takesOn.includes(scope)) await attempt(owner, `grant ${scope} to ${owner.escapeIdentifier(login.name)}`);
  }
};

/** Distinguishes this lock from others in the same database. */
const LOCK = `pg_advisory_xact_lock(hashtextextended('latchkey access', 0))`;

/** The schemas of the product. A build of read models gets its grants when it is swapped in. */
const SCHEMAS = ['audit', 'auth', 'http', 'live', 'migration', 'ops', 'policy', 'read', 'tenant', 'usage', 'vault'];

/** Adds missing grants and row-level security to every schema of the product. Migration 0030 has the rules. */
const protect = async (owner: pg.Client): Promise<void> => {
  await owner.query('begin');
  try {
    await owner.query(`select ${LOCK}`);
    await owner.query(`do $$
      declare
        target text;
      begin
        for target in select nspname from pg_namespace where nspname in (${SCHEMAS.map((name) => `'${name}'`).join(', ')}) loop
          call tenant.protect(target);
        end loop;
      end $$`);
    await owner.query('commit');
  } catch (error) {
    await owner.query('rollback').catch(() => undefined);
    throw error;
  }
};

const findingsOf = (login: Attributes, { isScoped, hasOwner }: { isScoped: boolean; hasOwner: boolean }): RoleFinding[] => {
  const found: RoleFinding[] = [];
  if (login.superuser || login.bypasses) {
    found.push({
      code: 'superuser',
      message: `DATABASE_URL logs in as ${login.name}, which is a superuser or bypasses row-level security. Use a separate role for the application.`,
    });
  } else if (login.creates) {
    found.push({
      code: 'may_change_schema',
      message: `DATABASE_URL logs in as ${login.name}, which is allowed to change the schema. Set DATABASE_OWNER_URL to that role, and DATABASE_URL to another one.`,
    });
  }
  if (!isScoped) {
    const grant = `GRANT ${Object.values(SCOPES).join(', ')} TO ${login.name}`;
    found.push({
      code: 'no_row_security',
      message: `Row-level security is off. Create the roles ${Object.values(SCOPES).join(' and ')}, then ${grant}.`,
    });
  }
  if (!hasOwner) {
    found.push({
      code: 'no_owner',
      message: `DATABASE_URL logs in as ${login.name}, which is not allowed to change the schema. Nodes with the role projector also need DATABASE_OWNER_URL to rebuild read models.`,
    });
  }
  return found;
};

/** Whether the login may assume the scopes' roles. */
const isScoped = ({ takesOn }: Attributes): boolean => Object.values(SCOPES).every((scope) => takesOn.includes(scope));

const scoped = (databaseUrl: string, ownerUrl: string): DatabaseUrls => ({
  owner: ownerUrl,
  system: asRole(databaseUrl, SCOPES.system),
  tenant: asRole(databaseUrl, SCOPES.tenant),
});

/**
 * The URLs of the database for its owner, the system and tenants. `ownerUrl` is null if this node creates and grants nothing. If the
 * scopes' roles are not available, all three are the login itself, and the findings report it.
 */
export const openRoles = async (
  databaseUrl: string,
  ownerUrl: string | null,
): Promise<{ urls: DatabaseUrls; findings: readonly RoleFinding[] }> => {
  const before = await connected(databaseUrl, attributesOf);
  if (ownerUrl !== null) {
    await connected(ownerUrl, async (owner) => {
      if (!isScoped(before)) await createScopes(owner, before);
      await protect(owner);
    });
  }
  const login = isScoped(before) ? before : await connected(databaseUrl, attributesOf);
  const urls = isScoped(login)
    ? scoped(databaseUrl, ownerUrl ?? databaseUrl)
    : { owner: ownerUrl ?? databaseUrl, system: databaseUrl, tenant: databaseUrl };
  return { urls, findings: findingsOf(login, { isScoped: isScoped(login), hasOwner: ownerUrl !== null }) };
};

/** The URL that reads every row, before `openRoles` has prepared anything. */
export const systemUrlOf = async (databaseUrl: string): Promise<string> =>
  isScoped(await connected(databaseUrl, attributesOf)) ? asRole(databaseUrl, SCOPES.system) : databaseUrl;

/** Whether the login may apply migrations: it may create schemas in the database. */
export const mayMigrate = async (databaseUrl: string): Promise<boolean> =>
  connected(databaseUrl, async (client) => (await attributesOf(client)).creates);
