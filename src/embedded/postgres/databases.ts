import pg from 'pg';
import { isVerifierOf, LOGINS, type Login, type Passwords, scramVerifier } from './passwords.ts';

/** SQLSTATE invalid_password. */
export const WRONG_PASSWORD = '28P01';

const connected = async <Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** The application's login does not inherit rights of its roles: it uses SET ROLE. */
const ATTRIBUTES: Record<Exclude<Login, 'superuser'>, string> = {
  owner: 'login nosuperuser nocreatedb nocreaterole nobypassrls inherit',
  application: 'login nosuperuser nocreatedb nocreaterole nobypassrls noinherit',
  reader: 'login nosuperuser nocreatedb nocreaterole nobypassrls inherit',
};

/** NOLOGIN roles that the application's login can switch to, with their attributes. */
export type Groups = Readonly<Record<string, string>>;

type Role = { rolname: string; rolpassword: string | null };

const prepareRoles = async (client: pg.Client, passwords: Passwords, groups: Groups): Promise<void> => {
  const { rows } = await client.query<Role>('select rolname, rolpassword from pg_authid');
  const existing = new Map(rows.map((role) => [role.rolname, role]));
  for (const login of ['owner', 'application', 'reader'] as const) {
    const role = existing.get(LOGINS[login]);
    if (role && (await isVerifierOf(role.rolpassword, passwords[login]))) continue;
    const statement = `role ${LOGINS[login]} with ${ATTRIBUTES[login]} password '${await scramVerifier(passwords[login])}'`;
    await client.query(`${role ? 'alter' : 'create'} ${statement}`);
  }
  for (const [group, attributes] of Object.entries(groups)) {
    const name = client.escapeIdentifier(group);
    if (existing.has(group)) await client.query(`alter role ${name} with ${attributes}`);
    else await client.query(`create role ${name} with ${attributes}; grant ${name} to ${LOGINS.application}`);
  }
};

/** Changes the owner of objects that a previous version created as superuser, except for objects of extensions. */
const TRANSFER_TO_OWNER = `
  do $$
  declare
    statement text;
  begin
    for statement in
      select format('alter schema %I owner to ${LOGINS.owner}', nspname)
      from pg_namespace where nspname !~ '^pg_' and nspname not in ('information_schema', 'public')
      union all
      select format('alter table %s owner to ${LOGINS.owner}', c.oid::regclass)
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and c.relkind in ('r', 'p', 'v', 'm', 'S')
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i', 'e'))
      union all
      select format('alter routine %s owner to ${LOGINS.owner}', p.oid::regprocedure)
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
        and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    loop
      execute statement;
    end loop;
  end $$`;

const createDatabase = async (
  client: pg.Client,
  url: (database: string) => string,
  database: string,
  exists: boolean,
): Promise<void> => {
  const name = client.escapeIdentifier(database);
  if (exists) await connected(url(database), (inside) => inside.query(TRANSFER_TO_OWNER));
  else await client.query(`create database ${name}`);
  await client.query(`revoke all on database ${name} from public;
    grant connect on database ${name} to ${LOGINS.application}, ${LOGINS.reader};
    alter database ${name} owner to ${LOGINS.owner}`); // last, because the owner marks the database as complete
};

/**
 * Creates missing roles and databases and updates changed passwords. Databases that a previous version created as superuser change to
 * the owner's login, with all their objects. `url` returns the superuser's connection string of a database.
 */
export const prepareDatabases = (
  url: (database: string) => string,
  passwords: Passwords,
  { databases, groups = {} }: { databases: readonly string[]; groups?: Groups },
): Promise<void> =>
  connected(url('postgres'), async (client) => {
    await prepareRoles(client, passwords, groups);
    const { rows } = await client.query<{ datname: string; owner: string }>(
      'select datname, pg_get_userbyid(datdba) as owner from pg_database',
    );
    const owners = new Map(rows.map(({ datname, owner }) => [datname, owner]));
    for (const name of new Set(databases)) {
      if (owners.get(name) !== LOGINS.owner) await createDatabase(client, url, name, owners.has(name));
    }
  });
