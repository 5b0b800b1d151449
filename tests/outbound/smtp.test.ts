import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parseSmtp } from '../../src/bootstrap/parsers.ts';
import { createSmtpSender, type Email, type SendEmail } from '../../src/outbound/smtp.ts';
import { type MailServer, openMailServer } from '../support/mailServer.ts';

const email: Email = {
  id: 'invitation.1',
  fromName: 'Contoso Partners',
  to: { name: 'Ana Ruiz', address: 'ana@team.example' },
  subject: 'Your invitation to Löwen & Söhne',
  text: 'Hello Ana,\n\nhttps://licenses.example.com/join#1.abc',
  html: '<p>Hello Ana</p>',
};

const senderTo = (url: string, timeoutMs = 5_000): SendEmail => {
  const server = parseSmtp(url);
  if (!server) throw new Error(`${url} is not accepted`);
  return createSmtpSender(server, { from: 'licenses@example.com', timeoutMs });
};

describe('an email', () => {
  let server: MailServer;
  beforeAll(async () => {
    server = await openMailServer();
    return server.close;
  });
  afterEach(() => server.behave('accepts'));

  it('arrives as text and HTML, with the same Message-ID each time', async () => {
    const send = senderTo(server.url);
    expect([await send(email), await send(email)]).toEqual([{ kind: 'sent' }, { kind: 'sent' }]);
    const [first, second] = server.received;
    expect(first).toMatchObject({
      id: '<invitation.1@example.com>',
      to: ['ana@team.example'],
      from: 'Contoso Partners <licenses@example.com>',
      subject: 'Your invitation to Löwen & Söhne',
    });
    expect(first?.text).toContain('https://licenses.example.com/join#1.abc');
    expect(first?.html).toContain('<p>Hello Ana</p>');
    expect(second?.id).toBe(first?.id);
  });

  it('gets no further recipient or header by line breaks in names, subject, address and text', async () => {
    const send = senderTo(server.url);
    const injected = 'Ana\r\nBcc: eve@attacker.example\r\n\r\n.\r\nMAIL FROM:<eve@attacker.example>';
    const before = server.received.length;
    const to = { name: injected, address: 'ana@team.example' };
    expect(await send({ ...email, fromName: injected, to, subject: injected, text: injected })).toEqual({ kind: 'sent' });
    const address = 'ana@team.example>\r\nRCPT TO:<eve@attacker.example';
    expect(await send({ ...email, to: { name: 'Ana', address } })).toMatchObject({ kind: 'rejected' });
    const received = server.received.slice(before);
    expect(received.map((mail) => mail.to)).toEqual([['ana@team.example']]);
    expect(received[0]?.raw.split('\r\n\r\n')[0]).not.toMatch(/^Bcc:/im);
  });

  it('that is rejected says so without the address of the recipient', async () => {
    const send = senderTo(server.url);
    server.behave('rejects');
    expect(await send(email)).toEqual({ kind: 'rejected', isPermanent: true, reason: '550 5.1.1' });
    server.behave('defers');
    expect(await send(email)).toEqual({ kind: 'rejected', isPermanent: false, reason: '451 4.7.1' });
    expect(await send({ ...email, to: { name: '', address: 'no address' } })).toMatchObject({
      kind: 'rejected',
      isPermanent: true,
    });
  });

  it('cannot be sent while the server hangs, drops the connection or is stopped', async () => {
    server.behave('hangs');
    expect(await senderTo(server.url, 200)(email)).toEqual({
      kind: 'unavailable',
      reason: `The mail server 127.0.0.1:${server.port} cannot be used (ETIMEDOUT)`,
    });
    server.behave('drops');
    expect(await senderTo(server.url)(email)).toMatchObject({ kind: 'unavailable' });
    const stopped = await openMailServer();
    await stopped.close();
    expect(await senderTo(stopped.url)(email)).toMatchObject({ kind: 'unavailable' });
  });
});

describe('a mail server with a password', () => {
  let server: MailServer;
  beforeAll(async () => {
    server = await openMailServer({ password: 'p@ss/word:1' });
    return server.close;
  });

  it('is signed in to, and a wrong password is not repeated in the reason', async () => {
    expect(await senderTo(server.url)(email)).toEqual({ kind: 'sent' });
    const wrong = `smtp://latchkey:wrong-secret@127.0.0.1:${server.port}`;
    expect(await senderTo(wrong)(email)).toEqual({
      kind: 'unavailable',
      reason: `The mail server 127.0.0.1:${server.port} rejected the user or password of SMTP_URL`,
    });
  });

  it('gets no password without TLS on another machine', async () => {
    expect(parseSmtp('smtp://latchkey:secret@mail.example.com')).toMatchObject({ requireTls: true });
    const send = createSmtpSender(
      {
        host: '127.0.0.1',
        port: server.port,
        secure: false,
        requireTls: true,
        auth: { user: 'latchkey', password: 'p@ss/word:1' },
      },
      { from: 'licenses@example.com' },
    );
    expect(await send(email)).toMatchObject({ kind: 'unavailable' });
  });
});
