import type { WebSocket } from 'ws';
import type { CliFrame } from '../contracts/cli.ts';
import type { Actor } from '../domain/event.ts';
import type { DisconnectReason } from '../domain/userActivity/events.ts';
import type { Session } from '../security/session.ts';
import type { Connection } from './leases.ts';
import type { Pinged } from './pingWheel.ts';

/** Close codes in addition to those of the contract. */
export const ENDED = {
  /** A newer socket uses this socket's id. */
  replaced: 4000,
  /** The client does not follow the protocol. */
  protocolError: 4400,
  tooMuch: 1008,
  later: 1013,
} as const;

/** Emitted by the socket of a tool that has stopped reading. */
export const SLOW = 'slow';
/** Bytes that a tool may leave unread. */
const MAX_UNREAD = 64 * 1024;
/** Frames and pings of a tool between two pings of the server. A tool sends only its hello frame. */
const MAX_FRAMES = 30;

/** The socket of an authenticated tool. */
export type ToolSocket = Pinged & {
  readonly ws: WebSocket;
  readonly session: Session;
  readonly connection: Connection;
  /** The user, with the session and the address of the tool. */
  readonly actor: Actor;
  /** Why the socket was closed; null while it is open. */
  closed: DisconnectReason | null;
};

/** Sends a frame. A tool that has stopped reading is disconnected instead, and may reconnect. */
export const send = (ws: WebSocket, frame: CliFrame): void => {
  if (ws.readyState !== ws.OPEN) return;
  if (ws.bufferedAmount > MAX_UNREAD) {
    ws.emit(SLOW);
    ws.close(ENDED.later, 'The client reads too slowly');
  } else ws.send(JSON.stringify(frame));
};

/** Disconnects a tool that sends too many frames. `reset` starts the next count. */
export const limitFrames = (ws: WebSocket): { reset: () => void } => {
  let frames = 0;
  const countFrame = (): void => {
    frames += 1;
    if (frames > MAX_FRAMES && ws.readyState === ws.OPEN) ws.close(ENDED.tooMuch, 'Too many messages');
  };
  ws.on('message', countFrame);
  ws.on('ping', countFrame);
  return {
    reset: () => {
      frames = 0;
    },
  };
};
