import type { ReadModelsRebuilt, ServerStarted } from '../../../src/domain/operations/events.ts';

export const serverStarted = (overrides: Partial<ServerStarted['data']> = {}): ServerStarted => ({
  type: 'ServerStarted',
  data: { version: '1.0.0', replaced: null, roles: ['api', 'projector'], ...overrides },
});
export const readModelsRebuilt = (group: ReadModelsRebuilt['data']['group'] = 'main'): ReadModelsRebuilt => ({
  type: 'ReadModelsRebuilt',
  data: { group },
});
