import { type Answer, misused } from './failure.ts';

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether a server's address is this machine, for which plain http is accepted. */
export const isLoopback = (server: string): boolean => LOOPBACK.test(new URL(server).hostname);

/** Normalizes the address of a server: scheme, host, port and an optional path without a trailing slash. */
export const parseServer = (text: string): Answer<string> => {
  const typed = text.trim();
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(typed)?.[1]?.toLowerCase();
  const bare = `http://${typed}`;
  const guessed = scheme === undefined && URL.canParse(bare) ? `${isLoopback(bare) ? 'http' : 'https'}://${typed}` : typed;
  const url = /\s/.test(typed) || !URL.canParse(guessed) ? null : new URL(guessed);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    const hint = 'Use an address such as https://latchkey.example.com';
    return { ok: false, failure: misused(`'${text}' is not a valid server address`, { hint }) };
  }
  return { ok: true, value: `${url.origin}${url.pathname}`.replace(/\/+$/, '') };
};
