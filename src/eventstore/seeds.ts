import { readFileSync } from 'node:fs';

const ADDRESS = /^[a-z+]+:\/\/(?:[^@/?]*@)?([^/?]*)/i;
const DEFAULT_PORT = 2113;

/** A node that a connection string names: a TCP address, or the path of a Unix socket. */
type Seed = Readonly<{ host: string; port: number } | { path: string }>;

/** The nodes that a connection string names, and how it secures connections to them. Credentials are left out. */
export type Seeds = Readonly<{
  seeds: readonly Seed[];
  /** Null without TLS. `ca` reads the file of `tlsCAFile`. */
  tls: Readonly<{ verify: boolean; ca: () => Buffer | undefined }> | null;
}>;

/** Parses a connection string that the client accepts. */
export const seedsOf = (url: string): Seeds => {
  if (url.startsWith('esdb+unix:')) return { seeds: [{ path: decodeURIComponent(new URL(url).pathname) }], tls: null };
  const settings = new Map([...new URLSearchParams(url.split('?')[1] ?? '')].map(([name, value]) => [name.toLowerCase(), value]));
  const caFile = settings.get('tlscafile');
  const seeds = (ADDRESS.exec(url)?.[1] ?? '').split(',').map((address) => {
    const [, host = '', port = DEFAULT_PORT] = /^(.*?)(?::(\d+))?$/.exec(address.trim()) ?? [];
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
  });
  if (settings.get('tls')?.toLowerCase() === 'false') return { seeds, tls: null };
  const verify = settings.get('tlsverifycert')?.toLowerCase() !== 'false';
  return { seeds, tls: { verify, ca: () => (caFile ? readFileSync(caFile) : undefined) } };
};
