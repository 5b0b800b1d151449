import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/demo/random.ts';
import { administrationFlow } from './administrationFlow.ts';
import { customerOpenIdFlow, integratorOpenIdFlow, passkeyFlow } from './externalFlows.ts';
import { type Flow, killBetweenSteps, killDuringSteps } from './flow.ts';
import { type FlowServer, startFlowServer } from './flowServer.ts';
import { passwordFlow, secondFactorFlow } from './passwordFlows.ts';
import { deviceFlow, portalFlow } from './portalFlows.ts';
import { memberFlow, sessionsFlow, tokenFlow } from './teamFlows.ts';

/** How often all flows are done while the server is killed during their steps; each time kills it about seven times. */
const PASSES = Number(process.env.FLOW_PASSES ?? 1);
const SEED = Number(process.env.FLOW_SEED ?? 1);
/** Most steps are done within this time. */
const STEP_MS = 250;

let flows: FlowServer;
beforeAll(async () => {
  flows = await startFlowServer();
});
afterAll(() => flows.close());

const newFlows = async (): Promise<Flow[]> => {
  const context = await flows.newContext();
  return Promise.all([
    passwordFlow(context),
    secondFactorFlow(context),
    passkeyFlow(context),
    integratorOpenIdFlow(context),
    customerOpenIdFlow(context),
    memberFlow(context),
    sessionsFlow(context),
    tokenFlow(context),
    portalFlow(context),
    deviceFlow(context),
    administrationFlow(context, flows.env),
  ]);
};

describe('a server that is killed while users join, sign in and change who may', () => {
  it('locks nobody out and lets nobody in between two steps', async () => {
    expect(await killBetweenSteps(flows.server, await newFlows())).toEqual([]);
  });

  it(`has done each step or not when it is killed during it, ${PASSES} times`, async () => {
    const random = seededRandom(SEED).next;
    for (let pass = 1; pass <= PASSES; pass += 1) {
      expect(await killDuringSteps(flows.server, await newFlows(), () => random() * STEP_MS)).toEqual([]);
      process.stderr.write(`${pass} passes of ${PASSES} with kills during steps\n`);
    }
  }, 14_400_000);
});
