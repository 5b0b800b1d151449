import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A message as the mail server received it. */
type ReceivedMail = Readonly<{
  id: string;
  to: readonly string[];
  from: string;
  subject: string;
  text: string;
  html: string;
  raw: string;
}>;

/**
 * What the server does: it accepts; it rejects a recipient for now (`defers`) or for good (`rejects`); it never greets (`hangs`); it takes
 * the message and ends the connection before its reply (`drops`).
 */
type MailServerMood = 'accepts' | 'defers' | 'rejects' | 'hangs' | 'drops';

/** A real mail server on loopback. `password` is that of its only user, `latchkey`; without one it needs no sign-in. */
export type MailServer = Readonly<{
  url: string;
  port: number;
  /** The messages that were taken, also those that were not acknowledged. */
  received: readonly ReceivedMail[];
  behave: (mood: MailServerMood) => void;
  close: () => Promise<void>;
}>;

const headerOf = (headers: string, name: string): string =>
  new RegExp(`^${name}: (.*)$`, 'im').exec(headers.replace(/\r\n[ \t]+/g, ' '))?.[1] ?? '';

const decodedWords = (text: string): string =>
  text.replace(/=\?utf-8\?([bq])\?(.*?)\?=\s*/gi, (_all, encoding: string, word: string) =>
    encoding.toLowerCase() === 'b' ? Buffer.from(word, 'base64').toString() : quotedPrintable(word.replaceAll('_', ' ')),
  );

const quotedPrintable = (text: string): string =>
  Buffer.from(
    text.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();

const bodyOf = (part: string): string => {
  const at = part.indexOf('\r\n\r\n');
  const encoding = headerOf(part.slice(0, at), 'Content-Transfer-Encoding').toLowerCase();
  const body = part.slice(at + 4);
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  return encoding === 'quoted-printable' ? quotedPrintable(body) : body;
};

const parsed = (raw: string, to: readonly string[]): ReceivedMail => {
  const headers = raw.slice(0, raw.indexOf('\r\n\r\n'));
  const boundary = /boundary="?([^";\r\n]+)/i.exec(headers)?.[1] ?? '';
  const parts = raw.split(`--${boundary}`);
  const partOf = (type: string): string => bodyOf(parts.find((part) => part.includes(`Content-Type: ${type}`)) ?? '');
  return {
    id: headerOf(headers, 'Message-ID'),
    to,
    from: decodedWords(headerOf(headers, 'From')),
    subject: decodedWords(headerOf(headers, 'Subject')),
    text: partOf('text/plain'),
    html: partOf('text/html'),
    raw,
  };
};

const refusal = (responseCode: number, message: string): Error => Object.assign(new Error(message), { responseCode });

/** Opens a mail server on a free port, or on the given one. */
export const openMailServer = async ({ password, port = 0 }: { password?: string; port?: number } = {}): Promise<MailServer> => {
  const received: ReceivedMail[] = [];
  let mood: MailServerMood = 'accepts';
  const server = new SMTPServer({
    disabledCommands: password === undefined ? ['AUTH', 'STARTTLS'] : ['STARTTLS'],
    authOptional: password === undefined,
    allowInsecureAuth: true,
    closeTimeout: 100,
    onAuth: (auth, _session, answer) =>
      auth.username === 'latchkey' && auth.password === password
        ? answer(null, { user: auth.username })
        : answer(new Error('Wrong user or password')),
    onConnect: (_session, answer) => {
      if (mood !== 'hangs') answer();
    },
    onRcptTo: ({ address }, _session, answer) => {
      if (mood === 'rejects') return answer(refusal(550, `5.1.1 <${address}> is unknown here`));
      return mood === 'defers' ? answer(refusal(451, '4.7.1 Try again later')) : answer();
    },
    onData: (stream, { envelope }, answer) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push(
          parsed(
            Buffer.concat(chunks).toString(),
            envelope.rcptTo.map(({ address }) => address),
          ),
        );
        if (mood === 'drops') for (const connection of server.connections) connection.close();
        else answer();
      });
    },
  });
  server.on('error', () => undefined); // connections that the tests end
  const listener = server.listen(port, '127.0.0.1');
  await once(listener, 'listening');
  const { port: open } = listener.address() as AddressInfo;
  return {
    url: `smtp://${password === undefined ? '' : `latchkey:${encodeURIComponent(password)}@`}127.0.0.1:${open}`,
    port: open,
    received,
    behave: (next) => {
      mood = next;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
