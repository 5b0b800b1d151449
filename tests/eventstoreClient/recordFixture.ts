import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { AnyEvent } from '../../src/domain/events.ts';
import { codecs } from '../../src/eventstore/codecs/codecs.ts';
import { encodeEvent } from '../../src/eventstore/encode.ts';
import type { StreamName } from '../../src/eventstore/port.ts';
import { metaOf } from '../support/builders/command.ts';
import { everyEvent } from '../support/builders/everyEvent.ts';
import { fixedSealing } from '../support/fixedSealing.ts';

/**
 * Records how the current version of an event is stored, for `adapterCodecs.test.ts`:
 * `node tests/support/run.js tests/eventstoreClient/recordFixture.ts <type>`. The data are those of `everyEvent`. It refuses to
 * overwrite a file.
 */

const [type = ''] = process.argv.slice(3);
const directory = new URL('fixtures/', import.meta.url);

const category = Object.entries(codecs).find(([, { events }]) => Object.hasOwn(events, type))?.[0];
const event = Object.values(everyEvent)
  .flatMap((events): AnyEvent[] => Object.values(events))
  .find((example) => example.type === type);
if (!category || !event) throw new Error(`There is no event ${type}`);

/** The stream that the fixtures of the same category use. */
const streamOf = (): StreamName => {
  const streams: StreamName[] = readdirSync(directory).map(
    (file) => JSON.parse(readFileSync(new URL(file, directory), 'utf8')).stream,
  );
  const stream = streams.find((name) => name.startsWith(`${category}-`));
  if (!stream) throw new Error(`There is no fixture of ${category} yet: write the first by hand`);
  return stream;
};

const parsed = (bytes: unknown) => (bytes instanceof Uint8Array ? JSON.parse(Buffer.from(bytes).toString()) : bytes);

const stream = streamOf();
const { data, metadata } = await encodeEvent(fixedSealing, stream, event, metaOf());
const fixture = { stream, metadata: parsed(metadata), stored: parsed(data), opened: event.data };
const file = new URL(`${type}.v${fixture.metadata.codec}.json`, directory);
writeFileSync(file, `${JSON.stringify(fixture, null, 2)}\n`, { flag: 'wx' });
console.log(`Recorded ${file.pathname}`);
