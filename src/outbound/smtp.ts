import { createTransport } from 'nodemailer';
import { codeOf } from './failure.ts';

/** A mail server. `secure` is TLS from the start; `requireTls` refuses to continue without STARTTLS. */
export type SmtpServer = Readonly<{
  host: string;
  port: number;
  secure: boolean;
  requireTls: boolean;
  auth: Readonly<{ user: string; password: string }> | null;
}>;

/** `id` is the same whenever the message is sent again, so that mail servers can recognize a duplicate. */
export type Email = Readonly<{
  id: string;
  fromName: string;
  to: Readonly<{ name: string; address: string }>;
  subject: string;
  text: string;
  html: string;
}>;

/**
 * `rejected`: the server did not accept this message; another attempt is useless if that is permanent. `unavailable`: no message can be
 * sent. After `unavailable` the server may still have accepted the message. Reasons contain no address of a recipient and no secret.
 */
type Delivery =
  | Readonly<{ kind: 'sent' }>
  | Readonly<{ kind: 'rejected'; isPermanent: boolean; reason: string }>
  | Readonly<{ kind: 'unavailable'; reason: string }>;

/** Sends an email; never throws. */
export type SendEmail = (email: Email) => Promise<Delivery>;

/** Limits for connecting, the greeting, and each reply, ms. */
const TIMEOUT_MS = 10_000;
/** Replies that are about one message. Any other failed command, such as MAIL FROM, would fail for each message. */
const OF_MESSAGE: ReadonlySet<string> = new Set(['RCPT TO', 'DATA']);
/** The server ends the session. */
const CLOSING = 421;

type Failed = { command?: unknown; responseCode?: unknown; response?: unknown; permanent?: unknown };

/** The numbers of a reply, such as `550 5.1.1`: its text may repeat the recipient. */
const numbersOf = ({ response, responseCode }: Failed): string =>
  (typeof response === 'string' ? /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response)?.[0].replace('-', ' ') : undefined) ??
  String(responseCode);

const failureOf = (error: unknown, { host, port }: SmtpServer): Delivery => {
  const failed: Failed = typeof error === 'object' && error !== null ? error : {};
  const { command, responseCode, permanent } = failed;
  const code = codeOf(error);
  const server = `The mail server ${host}:${port}`;
  if (typeof responseCode === 'number' && responseCode !== CLOSING) {
    if (typeof command === 'string' && OF_MESSAGE.has(command)) {
      return { kind: 'rejected', isPermanent: permanent === true, reason: numbersOf(failed) };
    }
    if (code === 'EAUTH') return { kind: 'unavailable', reason: `${server} rejected the user or password of SMTP_URL` };
    return { kind: 'unavailable', reason: `${server} rejected ${String(command)} with ${numbersOf(failed)}` };
  }
  if (code === 'EENVELOPE') return { kind: 'rejected', isPermanent: true, reason: 'the address is not valid' };
  return { kind: 'unavailable', reason: `${server} cannot be used (${code || 'no reply'})` };
};

/** Sends emails from `from` by a connection for each. `timeoutMs` limits each step. */
export const createSmtpSender = (
  server: SmtpServer,
  { from, timeoutMs = TIMEOUT_MS }: { from: string; timeoutMs?: number },
): SendEmail => {
  const { host, port, secure, requireTls, auth } = server;
  const transport = createTransport({
    host,
    port,
    secure,
    requireTLS: requireTls,
    ...(auth && { auth: { user: auth.user, pass: auth.password } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.slice(from.lastIndexOf('@') + 1);
  return async ({ id, fromName, to, subject, text, html }) => {
    try {
      await transport.sendMail({
        messageId: `<${id}@${domain}>`,
        from: { name: fromName, address: from },
        to: { name: to.name, address: to.address },
        subject,
        text,
        html,
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      });
      return { kind: 'sent' };
    } catch (error) {
      return failureOf(error, server);
    }
  };
};
