import { spawn } from 'node:child_process';
import type { Io } from './io.ts';

/** The program that opens an address in the user's browser, by the platform of Node.js. */
const openers: Partial<Record<NodeJS.Platform, readonly [file: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens an address in the browser, without a shell; false if no program for it could be started, or it failed within a second. */
export const openInBrowser = (address: string, { env }: Pick<Io, 'env'>): Promise<boolean> => {
  const { protocol, href } = new URL(address);
  if (protocol !== 'https:' && protocol !== 'http:') return Promise.resolve(false);
  const [file, ...args] = openers[process.platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const opener = spawn(file, [...args, href], { env: { ...env }, stdio: 'ignore', detached: true });
    const timer = setTimeout(() => resolve(true), 1_000);
    const end = (isOpen: boolean) => {
      clearTimeout(timer);
      resolve(isOpen);
    };
    opener.once('error', () => end(false));
    opener.once('exit', (code) => end(code === 0));
    opener.unref();
  });
};
