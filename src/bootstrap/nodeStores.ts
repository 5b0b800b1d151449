import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Credentials, Network } from '../embedded/network.ts';
import type { StoresNetwork } from './config.ts';

/** Where the embedded stores listen for other nodes. */
export type StoreListeners = Readonly<{ postgres: Network; eventStore: Network & Readonly<{ credentials: Credentials }> }>;

/** What other nodes need to use the embedded stores. They contain passwords. */
export type NodeStoreUrls = Readonly<{ databaseUrl: string | null; ownerUrl: string | null; eventStoreUrl: string | null }>;

const PASSWORD_FILE = 'eventstore-password';
const ENVIRONMENT_FILE = 'nodes.env';
const USER_NAME = 'latchkey';
const OWNER_ONLY = 0o600;

/** The password of the event store for other nodes, generated at the first start and readable only by the current user. */
const passwordIn = async (dataDir: string): Promise<string> => {
  const path = join(dataDir, PASSWORD_FILE);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeFile(path, randomBytes(24).toString('base64url'), { flag: 'wx', mode: OWNER_ONLY, flush: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  return readFile(path, 'utf8');
};

/** Throws when the certificate or the key cannot be read. */
export const storeListenersOf = async (dataDir: string, network: StoresNetwork): Promise<StoreListeners> => {
  const { host, databasePort, eventStorePort, tls } = network;
  const common = tls
    ? { host, tls: { cert: await readFile(tls.certFile, 'utf8'), key: await readFile(tls.keyFile, 'utf8') } }
    : { host };
  const credentials = { username: USER_NAME, password: await passwordIn(dataDir) };
  return { postgres: { ...common, port: databasePort }, eventStore: { ...common, port: eventStorePort, credentials } };
};

/** The connection string with the credentials, which the client sends over TLS only. */
export const withCredentials = (connectionString: string, { username, password }: Credentials): string =>
  connectionString.endsWith('tls=true') ? connectionString.replace('://', `://${username}:${password}@`) : connectionString;

/** The URL without its credentials. */
const addressOf = (url: string): string => url.replace(/\/\/[^@/]*@/, '//');

/**
 * Writes the variables for other nodes into the data directory, for this user only. Resolves to a line for the operator with the
 * addresses and without the passwords.
 */
export const describeNodeStores = async (dataDir: string, urls: NodeStoreUrls): Promise<string> => {
  const variables = Object.entries({
    DATABASE_URL: urls.databaseUrl,
    DATABASE_OWNER_URL: urls.ownerUrl,
    EVENTSTORE_URL: urls.eventStoreUrl,
  }).flatMap(([name, url]) => (url === null ? [] : [{ name, url }]));
  const path = join(dataDir, ENVIRONMENT_FILE);
  await writeFile(path, variables.map(({ name, url }) => `${name}=${url}\n`).join(''), { mode: OWNER_ONLY });
  await chmod(path, OWNER_ONLY);
  const addresses = [urls.databaseUrl, urls.eventStoreUrl].filter((url) => url !== null).map(addressOf);
  return `Other nodes use ${addresses.join(' and ')}; ${path} sets their variables and contains the passwords`;
};
