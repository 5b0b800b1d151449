import { randomBytes, randomUUID } from 'node:crypto';
import { hashOfLeaf, type LeafEvent, leafOf } from '../src/auditLog/leaf.ts';
import { inclusionCalculation, isIncluded, type KnownHashes, rootCalculation } from '../src/auditLog/proofs.ts';
import { calculate, EMPTY_EDGE, grow, keyOfTile, levelsOf, type TileCoordinates, type TileLevels } from '../src/auditLog/tiles.ts';
import { cpuOf } from './support/cpu.ts';
import { report } from './support/figures.ts';
import { settings } from './support/settings.ts';

/** The audit log's tree over many events: their hashes, and an inclusion proof for each. CPU times are independent of other load. */

const { events, batch, verified } = settings({ events: 1_000_000, batch: 1_000, verified: 10_000 });

const data = randomBytes(400);
const metadata = Buffer.from(
  JSON.stringify({
    actor: { kind: 'admin', id: 'admin' },
    commandId: randomUUID(),
    correlationId: randomUUID(),
    causationId: null,
    at: '2026-01-31T12:00:00.000Z',
    codec: 1,
  }),
);
const [stream, id] = [`customer-${randomUUID()}`, randomUUID()];
const eventOf = (revision: number): LeafEvent => {
  data.writeUInt32BE(revision);
  return { stream, revision: BigInt(revision), type: 'SeatsAllocated', id, storedAt: 1_769_860_800_000 + revision, data, metadata };
};

const tiles = new Map<number, Buffer>();
const calculated = new Map<number, TileLevels>();
/** Inner hashes are calculated when a proof first needs them, as the server does. */
const levels = (tile: TileCoordinates): TileLevels | undefined => {
  const key = keyOfTile(tile);
  const found = calculated.get(key);
  if (found) return found;
  const made = levelsOf(tiles.get(key) ?? Buffer.alloc(0));
  calculated.set(key, made);
  return made;
};
const known: KnownHashes = new Map();
const leaves: Buffer[] = [];
let edge = EMPTY_EDGE;

/** Seconds so far: elapsed, and of the main thread's CPU. */
const clock = () => ({ elapsed: performance.now() / 1_000, cpu: cpuOf(process.pid).main });
type Clock = ReturnType<typeof clock>;

const begun = clock();
for (let from = 0; from < events; from += batch) {
  const hashes = Array.from({ length: Math.min(batch, events - from) }, (_, index) => hashOfLeaf(leafOf(eventOf(from + index))));
  const grown = grow(edge, hashes);
  edge = grown.edge;
  for (const tile of grown.written) tiles.set(keyOfTile(tile), tile.hashes);
  leaves.push(...hashes);
}
const root = calculate(rootCalculation(events), levels);
const hashed = clock();
for (let index = 0; index < events; index++) calculate(inclusionCalculation(index, events), levels, known);
const proven = clock();
for (let nr = 0; nr < verified; nr++) {
  const index = Math.floor((nr * events) / verified);
  const proof = calculate(inclusionCalculation(index, events), levels);
  if (!isIncluded(leaves[index] ?? Buffer.alloc(0), proof, { index, size: events, root }))
    throw new Error(`Proof ${index} is wrong`);
}
const done = clock();

const reportSpan = (name: string, from: Clock, to: Clock): void => {
  report(name, to.elapsed - from.elapsed, 's');
  report('  CPU of the main thread', to.cpu - from.cpu, 's');
};
reportSpan('hashes of the events and their tree', begun, hashed);
reportSpan('an inclusion proof for each event', hashed, proven);
reportSpan('together', begun, proven);
report('verification of a proof, CPU', ((done.cpu - proven.cpu) * 1e6) / verified, 'µs');
