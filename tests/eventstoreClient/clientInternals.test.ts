import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Metadata } from '@grpc/grpc-js';
import { afterAll, describe, expect, it } from 'vitest';
import { closeClient } from '../../src/eventstore/client.ts';
import { clientInternals } from '../../src/eventstore/clientInternals.ts';
import { clientOf } from '../../src/eventstore/connect.ts';

const { version } = createRequire(import.meta.url)('@eventstore/db-client/package.json') as { version: string };
const adapt = `@eventstore/db-client ${version} has changed a protected member. Adapt src/eventstore/clientInternals.ts to its new form.`;
const MEMBERS = ['getChannel', 'callArguments', 'supports', 'GRPCStreamCreator', 'execute'] as const;

const client = clientOf('esdb://127.0.0.1:1?tls=false');
afterAll(() => closeClient(client));
const internals = clientInternals(client);

describe('the protected members of the client', () => {
  it.each(MEMBERS)('include the function %s', (name) => {
    expect(typeof internals?.[name], adapt).toBe('function');
  });

  it('return metadata and options with the given deadline', () => {
    const [metadata, options] = internals?.callArguments({}, { deadline: Number.POSITIVE_INFINITY }) ?? [];
    expect(metadata, adapt).toBeInstanceOf(Metadata);
    expect(options?.deadline, adapt).toBe(Number.POSITIVE_INFINITY);
  });

  it('are accessed in clientInternals.ts only', () => {
    const folder = new URL('../../src/eventstore/', import.meta.url);
    const access = new RegExp(`\\['(?:${MEMBERS.join('|')})'\\]`);
    const files = readdirSync(folder).filter(
      (file) => file.endsWith('.ts') && access.test(readFileSync(new URL(file, folder), 'utf8')),
    );
    expect(files).toEqual(['clientInternals.ts']);
  });
});
