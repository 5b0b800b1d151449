/** The environment variables and their help texts. */
export const ENVIRONMENT = {
  LATCHKEY_SERVER: 'address of the server',
  LATCHKEY_KEY: 'license key',
  LATCHKEY_USERNAME: 'your name on the server',
  LATCHKEY_EMAIL: 'your email address',
  LATCHKEY_PROFILE: 'the profile to use, as --profile',
  LATCHKEY_HOME: 'one directory for all files instead of ~/.config and ~/.local/state',
  LATCHKEY_DEBUG: 'if set, print stack traces and warnings of Node',
  HTTPS_PROXY: 'proxy, as http://user:password@host:port; HTTP_PROXY for http:// servers',
  NO_PROXY: 'comma-separated hosts that need no proxy',
  NODE_EXTRA_CA_CERTS: 'PEM file of a private certificate authority',
  TRACEPARENT: 'the W3C trace that requests to the server belong to',
  NO_COLOR: 'if set, no colors; overrides FORCE_COLOR',
  LATCHKEY_BACKGROUND: 'light or dark: the background of the terminal, for readable colors; else COLORFGBG',
  FORCE_COLOR: '1, 2 or 3 for 16, 256 or all colors, even without a terminal',
} as const;

export type Variable = keyof typeof ENVIRONMENT;

const NETWORK: readonly Variable[] = ['HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS'];

/** The help texts of variables; with `network`, also those for the connection to the server. */
export const environmentOf = (
  names: readonly Variable[],
  { network }: { network: boolean },
): (readonly [name: string, about: string])[] => [...names, ...(network ? NETWORK : [])].map((name) => [name, ENVIRONMENT[name]]);
