import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type FlowServer, startFlowServer } from './flowServer.ts';
import { killHalfDone, passkeyRemoval, passwordChange, portalPasswordChange } from './halfDone.ts';

let flows: FlowServer;
beforeAll(async () => {
  flows = await startFlowServer();
});
afterAll(() => flows.close());

describe('a server that is killed while users change what signs in', () => {
  it('ends their other sessions, also when it is killed in between', async () => {
    const context = await flows.newContext();
    const changes = [await passwordChange(context), await passkeyRemoval(context), await portalPasswordChange(context)];
    await killHalfDone(await flows.databaseUrl(), changes, flows.server.kill);
    await flows.server.start();
    for (const { name, hasHappened, other, endsBefore } of changes) {
      const status = async () => (await other.get('/api/account')).status;
      if (await hasHappened()) expect([name, await eventually(status, (found) => found === 401)]).toEqual([name, 401]);
      else if (!endsBefore) expect([name, await status()]).toEqual([name, 200]);
    }
  });
});
