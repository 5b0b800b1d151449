import type { WebSocket } from 'ws';
import type { CliFrame } from '../contracts/cli.ts';
import type { DisconnectReason } from '../domain/userActivity/events.ts';
import type { Session } from '../security/sessions.ts';
import type { Connection } from './leases.ts';
import type { Pinged } from './pingWheel.ts';

/** Close codes beside those of the contract. */
export const ENDED = {
  /** A newer socket has this one's id. */
  replaced: 4000,
  /** It does not speak the protocol. */
  badHello: 4400,
  tooMuch: 1008,
  later: 1013,
} as const;

/** Emitted by the socket of a tool that has stopped reading. */
export const SLOW = 'slow';
/** Bytes that a tool may leave unread. */
const MAX_UNREAD = 64 * 1024;
/** A tool says hello and nothing else: so many frames and pings in the time between two pings of the server are too many. */
const MAX_HEARD = 30;

/** The socket of a tool that said who it is. */
export type ToolSocket = Pinged & {
  readonly ws: WebSocket;
  readonly session: Session;
  readonly connection: Connection;
  /** Why it is over; null while it is not. */
  closed: DisconnectReason | null;
};

/** Sends a frame, unless the tool has stopped reading: then it is let go, and may come back. */
export const send = (ws: WebSocket, frame: CliFrame): void => {
  if (ws.readyState !== ws.OPEN) return;
  if (ws.bufferedAmount > MAX_UNREAD) {
    ws.emit(SLOW);
    ws.close(ENDED.later, 'The client reads too slowly');
  } else ws.send(JSON.stringify(frame));
};

/** Counts what a tool says, and lets go of one that says too much. `restart` begins the next count. */
export const boundTalk = (ws: WebSocket): { restart: () => void } => {
  let heard = 0;
  const hear = (): void => {
    heard += 1;
    if (heard > MAX_HEARD && ws.readyState === ws.OPEN) ws.close(ENDED.tooMuch, 'Too many messages');
  };
  ws.on('message', hear);
  ws.on('ping', hear);
  return {
    restart: () => {
      heard = 0;
    },
  };
};
