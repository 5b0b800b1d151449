import type { Answer } from './guardedGet.ts';

/** What a customer has stored, opened. For Azure DevOps the password is the personal access token. */
export type Login = Readonly<{ username: string; password: string | null; apiToken: string | null }>;

/** Whose answer a JSON body is: that of the service to somebody it knows, of the service to nobody, or of something else. */
type Recognised = 'signed_in' | 'anonymous' | 'stranger';

export type BasicLogin = Readonly<{ user: string; secret: string }>;

/** How to ask one of the services who we are. */
export type ThirdParty = Readonly<{
  name: string;
  /** What the login is called in a sentence: "… refused the {login}". */
  loginName: (login: Login) => string;
  /** Where to ask; `base` is an address without trailing slashes, query and fragment. */
  endpoint: (base: URL) => URL;
  /** User name and password of HTTP Basic authentication. */
  basic: (login: Login) => BasicLogin;
  headers: Readonly<Record<string, string>>;
  recognise: (body: unknown) => Recognised;
  /** Whether an answer asks a person to sign in, in a way of its own. */
  asksToSignIn: (answer: Answer) => boolean;
}>;

/** The base with `path` behind its own. */
export const below = (base: URL, path: string): URL => {
  const url = new URL(base);
  url.pathname = `${base.pathname.replace(/\/+$/, '')}${path}`;
  return url;
};

/** What follows `Basic ` in an Authorization header: letters, digits, `+/=` alone, whatever the secret holds. */
export const basicCredentials = ({ user, secret }: BasicLogin): string =>
  Buffer.from(`${user}:${secret}`, 'utf8').toString('base64');

/** A member of what may be an object. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

export const hasText = (value: unknown, ...names: readonly string[]): boolean =>
  names.some((name) => {
    const member = memberOf(value, name);
    return typeof member === 'string' && member !== '';
  });
