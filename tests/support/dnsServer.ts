import { createSocket } from 'node:dgram';
import { Resolver as NodeResolver } from 'node:dns/promises';
import { once } from 'node:events';

const TYPES = { A: 1, AAAA: 28, TXT: 16 } as const;
type RecordType = keyof typeof TYPES;

/** One answer: values of the records (a TXT value may be a list of the strings it is made of), or what goes wrong. */
export type DnsAnswer = readonly (string | readonly string[])[] | 'nxdomain' | 'servfail' | 'refused' | 'silence';

/** What a name answers, type by type: each question takes the next answer, the last one stays. A type not named has no records. */
export type DnsZone = Readonly<Record<string, Partial<Record<RecordType, readonly DnsAnswer[]>>>>;

export type DnsServer = {
  /** For `setServers`. */
  address: string;
  /** Every question so far, as `A jira.example.test`. */
  asked: string[];
  /** A and AAAA records of a name, asked here: what a resolver of the server gives. */
  resolve: (name: string) => Promise<readonly string[]>;
  close: () => Promise<void>;
};

type Question = { id: number; name: string; type: number; bytes: Buffer };

const HEADER = 12;
const RCODES = { servfail: 2, nxdomain: 3, refused: 5 } as const;

const questionOf = (message: Buffer): Question => {
  const labels: string[] = [];
  let at = HEADER;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const end = at + 5;
  return {
    id: message.readUInt16BE(0),
    name: labels.join('.').toLowerCase(),
    type: message.readUInt16BE(at + 1),
    bytes: message.subarray(HEADER, end),
  };
};

const characterString = (text: string): Buffer => Buffer.concat([Buffer.of(Buffer.byteLength(text)), Buffer.from(text)]);

const ipv6Bytes = (address: string): Buffer => {
  const [head = '', tail] = address.split('::');
  const groups = (part: string) => part.split(':').filter((group) => group !== '');
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail ?? '')];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
};

const dataOf = (type: RecordType, value: string | readonly string[]): Buffer => {
  const strings = typeof value === 'string' ? [value] : value;
  if (type === 'TXT') return Buffer.concat(strings.map(characterString));
  const [address = ''] = strings;
  return type === 'A' ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address);
};

/** The name of a record is a pointer to the question's. */
const recordOf = (type: RecordType, value: string | readonly string[]): Buffer => {
  const data = dataOf(type, value);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc000 | HEADER, 0);
  head.writeUInt16BE(TYPES[type], 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
};

const reply = ({ id, bytes }: Question, rcode: number, records: readonly Buffer[]): Buffer => {
  const head = Buffer.alloc(HEADER);
  head.writeUInt16BE(id, 0);
  head.writeUInt16BE(0x8580 | rcode, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  return Buffer.concat([head, bytes, ...records]);
};

const encoded = (question: Question, type: RecordType, answer: Exclude<DnsAnswer, 'silence'>): Buffer =>
  typeof answer === 'string'
    ? reply(question, RCODES[answer], [])
    : reply(
        question,
        0,
        answer.map((value) => recordOf(type, value)),
      );

const addressesAskedOf = async (resolver: NodeResolver, name: string): Promise<readonly string[]> => {
  const [a, aaaa] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = [a, aaaa].flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  if (found.length === 0 && a.status === 'rejected') throw a.reason;
  return found;
};

/** A name server on loopback UDP that knows one zone; every other name does not exist. */
export const startDnsServer = async (zone: DnsZone): Promise<DnsServer> => {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (message, from) => {
    const question = questionOf(message);
    const type = (Object.keys(TYPES) as RecordType[]).find((key) => TYPES[key] === question.type) ?? 'A';
    const label = `${type} ${question.name}`;
    const turn = asked.filter((earlier) => earlier === label).length;
    asked.push(label);
    const records = zone[question.name];
    const answers = records?.[type] ?? [];
    const answer = records ? (answers[turn] ?? answers.at(-1) ?? []) : 'nxdomain';
    if (answer !== 'silence') socket.send(encoded(question, type, answer), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const address = `127.0.0.1:${socket.address().port}`;
  const resolver = new NodeResolver({ timeout: 60_000, tries: 1 });
  resolver.setServers([address]);
  const close = async () => {
    resolver.cancel();
    const closed = once(socket, 'close');
    socket.close();
    await closed;
  };
  return { address, asked, resolve: (name) => addressesAskedOf(resolver, name), close };
};
