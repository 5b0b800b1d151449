import { randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';
import type { CliFrame } from '../../src/contracts/cli.ts';
import { eventually } from './eventually.ts';

/** The socket of a command-line tool, as a test sees it. */
export type ToolSocket = {
  ws: WebSocket;
  frames: CliFrame[];
  /** Resolves with the code that the socket was closed with. */
  closed: Promise<number>;
  connectionId: string;
  close: () => Promise<void>;
};

/** Connects and says hello, and waits for nothing more. */
export const dialTool = async (
  url: string,
  hello: unknown,
  { connectionId = randomUUID(), autoPong = true }: { connectionId?: string; autoPong?: boolean } = {},
): Promise<ToolSocket> => {
  const ws = new WebSocket(`${url.replace('http', 'ws')}/api/cli/connect`, { autoPong });
  const frames: CliFrame[] = [];
  const closed = new Promise<number>((resolve) => ws.on('close', resolve));
  ws.on('message', (data) => frames.push(JSON.parse(String(data))));
  await new Promise((resolve, reject) => {
    ws.on('open', resolve);
    ws.on('error', reject);
  });
  ws.send(typeof hello === 'string' ? hello : JSON.stringify(hello));
  return {
    ws,
    frames,
    closed,
    connectionId,
    close: async () => {
      ws.close();
      await closed;
    },
  };
};

/** A tool that was welcomed. */
export const openToolSocket = async (
  url: string,
  token: string,
  options: { connectionId?: string; autoPong?: boolean } = {},
): Promise<ToolSocket> => {
  const connectionId = options.connectionId ?? randomUUID();
  const socket = await dialTool(url, { type: 'hello', token, connectionId }, { ...options, connectionId });
  await eventually(
    () => socket.frames,
    (frames) => frames.some(({ type }) => type === 'welcome'),
  );
  return socket;
};
