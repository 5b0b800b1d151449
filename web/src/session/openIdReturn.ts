import type { FinishOpenIdBody } from '../../../src/contracts/identityProvider.ts';
import { OPENID_AGAIN_PREFIX } from '../../../src/domain/limits.ts';

/** What the identity provider sent the browser back with; null without it. */
export const returnedIn = (search: string): FinishOpenIdBody | null => {
  const parameters = new URLSearchParams(search);
  const state = parameters.get('state');
  if (state === null) return null;
  const [code, iss, error] = ['code', 'iss', 'error'].map((name) => parameters.get(name) ?? undefined);
  return { state, ...(code && { code }), ...(iss && { iss }), ...(error && { error }) };
};

/** Whether it proves again who the user of an open session is, instead of signing in. */
export const isProof = ({ state }: FinishOpenIdBody): boolean => state.startsWith(OPENID_AGAIN_PREFIX);

const CHANNEL = 'latchkey openid';

/** Reports to the window that asked for the proof, and closes this one, which that window opened. */
export const reportProof = (returned: FinishOpenIdBody): void => {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(returned);
  channel.close();
  window.close();
};

const isReturned = (data: unknown): data is FinishOpenIdBody =>
  typeof data === 'object' && data !== null && 'state' in data && typeof data.state === 'string';

/** Calls `onReturn` with what comes back for a state; returns what stops it. */
export const awaitProof = (state: string, onReturn: (returned: FinishOpenIdBody) => void): (() => void) => {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (isReturned(data) && data.state === state) onReturn(data);
  };
  return () => channel.close();
};
