import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { DAY_MS } from '../../src/domain/time.ts';

/** PEM texts, as `node:tls` takes them. */
export type Certified = { key: string; cert: string };
export type Authority = Certified & {
  /** A certificate for host names and IPv4 addresses; valid from yesterday to tomorrow by default. */
  issue: (hosts: readonly string[], validity?: Validity) => Certified;
};
type Validity = { from: Date; to: Date };

const ECDSA_WITH_SHA256 = '2a8648ce3d040302';
const COMMON_NAME = '550403';
const BASIC_CONSTRAINTS = '551d13';
const SUBJECT_ALT_NAME = '551d11';

/** One element of DER: tag, length, content. */
const der = (tag: number, ...content: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};
const sequence = (...content: readonly Buffer[]) => der(0x30, ...content);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const integer = (value: number) => der(0x02, Buffer.of(value));
const time = (date: Date) => der(0x18, Buffer.from(`${date.toISOString().replace(/\D/g, '').slice(0, 14)}Z`));
const nameOf = (text: string) => sequence(der(0x31, sequence(oid(COMMON_NAME), der(0x0c, Buffer.from(text)))));
const extension = (id: string, value: Buffer) => sequence(oid(id), der(0x04, value));
const altName = (host: string) =>
  isIPv4(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host));

type Signed = {
  serial: number;
  issuer: string;
  subject: string;
  publicKey: KeyObject;
  signingKey: KeyObject;
  validity: Validity;
  extensions: readonly Buffer[];
};

const certificate = ({ serial, issuer, subject, publicKey, signingKey, validity, extensions }: Signed): string => {
  const algorithm = sequence(oid(ECDSA_WITH_SHA256));
  const body = sequence(
    der(0xa0, integer(2)),
    integer(serial),
    algorithm,
    nameOf(issuer),
    sequence(time(validity.from), time(validity.to)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = der(0x03, Buffer.of(0), sign('sha256', body, signingKey));
  const lines =
    sequence(body, algorithm, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
};

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const aroundNow = (): Validity => ({ from: new Date(Date.now() - DAY_MS), to: new Date(Date.now() + DAY_MS) });

/** A certificate authority of a test's own, so that no private key lies in the repository and none expires there. */
export const createAuthority = (subject = 'Test authority'): Authority => {
  const own = newKeys();
  const signed = { issuer: subject, signingKey: own.privateKey };
  const isAuthority = extension(BASIC_CONSTRAINTS, sequence(der(0x01, Buffer.of(255))));
  const cert = certificate({
    ...signed,
    serial: 1,
    subject,
    publicKey: own.publicKey,
    validity: aroundNow(),
    extensions: [isAuthority],
  });
  let serial = 1;
  const issue = (hosts: readonly string[], validity = aroundNow()): Certified => {
    const { publicKey, privateKey } = newKeys();
    serial += 1;
    const names = extension(SUBJECT_ALT_NAME, sequence(...hosts.map(altName)));
    return {
      key: pemOf(privateKey),
      cert: certificate({ ...signed, serial, subject: hosts[0] ?? '', publicKey, validity, extensions: [names] }),
    };
  };
  return { key: pemOf(own.privateKey), cert, issue };
};
