import { describe, it } from 'vitest';
import { serversDecider } from '../../src/domain/operations/servers.ts';
import { metaOf } from '../support/builders/command.ts';
import { readModelsRebuilt, serverStarted } from '../support/builders/operations.ts';
import { decisionSpec } from '../support/decisionSpec.ts';

const given = decisionSpec(serversDecider);
const start = (version: string) =>
  ({ type: 'RecordServerStart', data: { version, roles: ['api', 'projector'] }, meta: metaOf() }) as const;

describe('the start of a server', () => {
  it('is recorded with the version that it replaces', () => {
    given().when(start('1.0.0')).then(serverStarted());
    given(serverStarted())
      .when(start('1.1.0'))
      .then(serverStarted({ version: '1.1.0', replaced: '1.0.0' }));
    given(serverStarted(), readModelsRebuilt())
      .when(start('1.0.0'))
      .then(serverStarted({ replaced: '1.0.0' }));
  });
});

describe('a rebuild of read models', () => {
  it('is recorded each time', () => {
    const rebuild = { type: 'RecordRebuild', data: { group: 'usage' }, meta: metaOf() } as const;
    given(readModelsRebuilt('usage')).when(rebuild).then(readModelsRebuilt('usage'));
  });
});
