import type { Answer } from './guardedGet.ts';

/** A customer's decrypted credential. For Azure DevOps the password is the personal access token. */
export type Login = Readonly<{ username: string; password: string | null; apiToken: string | null }>;

/** The sender of a JSON body: the service to an authenticated user, the service to an anonymous user, or another program. */
type Recognition = 'signed_in' | 'anonymous' | 'unrecognized';

export type BasicLogin = Readonly<{ user: string; secret: string }>;

/** How to query the current user of one of the services. */
export type ThirdParty = Readonly<{
  name: string;
  /** The name of the login in the sentence "… refused the {login}". */
  loginName: (login: Login) => string;
  /** The URL to request. `base` has no trailing slashes, query or fragment. */
  endpoint: (base: URL) => URL;
  /** User name and password of HTTP Basic authentication. */
  basic: (login: Login) => BasicLogin;
  headers: Readonly<Record<string, string>>;
  recognize: (body: unknown) => Recognition;
  /** Whether a response is the service's own sign-in page. */
  asksToSignIn: (answer: Answer) => boolean;
}>;

/** Appends `path` to the path of the base. */
export const below = (base: URL, path: string): URL => {
  const url = new URL(base);
  url.pathname = `${base.pathname.replace(/\/+$/, '')}${path}`;
  return url;
};

/** The base64 credentials after `Basic ` in an Authorization header. */
export const basicCredentials = ({ user, secret }: BasicLogin): string =>
  Buffer.from(`${user}:${secret}`, 'utf8').toString('base64');

/** A property of a value; undefined if the value is not an object. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

export const hasText = (value: unknown, ...names: readonly string[]): boolean =>
  names.some((name) => {
    const member = memberOf(value, name);
    return typeof member === 'string' && member !== '';
  });
