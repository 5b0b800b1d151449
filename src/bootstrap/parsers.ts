import ipaddr from 'ipaddr.js';
import type { SmtpServer } from '../outbound/smtp.ts';

/** A network and the length of its prefix, as `ipaddr.js` matches them. */
export type Cidr = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Parses the text of a variable; null if it is not accepted. */
export type Parser<T> = (text: string) => T | null;

/** A URL with one of the protocols, unchanged. */
export const parseUrl =
  (...protocols: string[]): Parser<string> =>
  (text) => {
    const [scheme = '', rest] = text.split('://');
    return rest && protocols.includes(scheme) && !/\s/.test(text) ? text : null;
  };

/** A text that matches the pattern. */
export const matching =
  (pattern: RegExp): Parser<string> =>
  (text) =>
    pattern.test(text) ? text : null;

/** A port from 0 to 65535. */
export const parsePort: Parser<number> = (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : null);

/** One of the names. */
export const oneOf =
  <T extends string>(names: readonly T[]): Parser<T> =>
  (text) =>
    names.find((name) => name === text) ?? null;

/** A list separated by commas; null if any entry is not accepted. */
export const listOf =
  <T>(parse: Parser<T>): Parser<readonly T[]> =>
  (text) => {
    const entries = text.split(',').map((entry) => parse(entry.trim()));
    return entries.every((entry) => entry !== null) ? entries : null;
  };

/** An address, or a network in CIDR notation. */
export const parseCidr: Parser<Cidr> = (text) => {
  const [address = '', prefix, ...more] = text.split('/');
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  if (!isAddress || more.length > 0) return null;
  const parsed = ipaddr.parse(address);
  const longest = parsed.kind() === 'ipv4' ? 32 : 128;
  if (prefix === undefined) return [parsed, longest];
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= longest ? [parsed, Number(prefix)] : null;
};

/** An address, a network, or a name that Fastify has for networks. */
export const parseProxy: Parser<string> = (text) =>
  ['loopback', 'linklocal', 'uniquelocal'].includes(text) || parseCidr(text) ? text : null;

/** An origin of http or https, without a path. */
export const parseOrigin: Parser<string> = (text) => {
  if (!URL.canParse(text)) return null;
  const { origin, protocol, href } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && href === `${origin}/` ? origin : null;
};

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/;

/** Whether only programs of this machine reach the address. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);

/** `smtp://` uses STARTTLS where the server offers it, and requires it where a password is sent to another machine; `smtps://` is TLS. */
export const parseSmtp: Parser<SmtpServer> = (text) => {
  if (!/^smtps?:\/\/[^/]/.test(text) || /\s/.test(text) || !URL.canParse(text)) return null;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  if (!hostname || (pathname !== '' && pathname !== '/') || search || hash || (username === '') !== (password === '')) return null;
  const secure = protocol === 'smtps:';
  const host = hostname.replace(/^\[|\]$/g, '');
  try {
    const auth = username ? { user: decodeURIComponent(username), password: decodeURIComponent(password) } : null;
    return { host, port: port ? Number(port) : secure ? 465 : 587, secure, requireTls: auth !== null && !isLoopback(host), auth };
  } catch {
    return null;
  }
};

/** 32 bytes in base64. */
export const parseSecret: Parser<Buffer> = (text) => {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 32 && bytes.toString('base64').replace('=', '') === text.replace('=', '') ? bytes : null;
};

const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
/** A host name of at most 253 characters. */
export const HOST_NAME = new RegExp(`^(?=.{1,253}$)${LABEL}(\\.${LABEL})*$`, 'i');

/** An IP address or a host name. */
export const parseListen: Parser<string> = (text) => (ipaddr.isValid(text) ? text : matching(HOST_NAME)(text));
