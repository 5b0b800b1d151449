import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority } from '../../support/certificates.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const LOGO = '/logo.png';

/** A host on loopback that has one picture. */
export type LogoHost = Readonly<{
  logoUrl: string;
  missingUrl: string;
  /** What its certificate is verified with (PEM). */
  roots: string;
  close: () => Promise<void>;
}>;

export const startLogoHost = async (): Promise<LogoHost> => {
  const authority = createAuthority();
  const host = createServer(authority.issue(['127.0.0.1']), ({ url }, response) => {
    if (url === LOGO) response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  const origin = `https://127.0.0.1:${(host.address() as AddressInfo).port}`;
  return {
    logoUrl: origin + LOGO,
    missingUrl: `${origin}/missing.png`,
    roots: authority.cert,
    close: () => new Promise((resolve) => host.close(() => resolve())),
  };
};
