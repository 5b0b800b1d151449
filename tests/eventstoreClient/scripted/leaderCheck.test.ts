import { expect, it, onTestFinished } from 'vitest';
import { closeClient } from '../../../src/eventstore/client.ts';
import { clientOf } from '../../../src/eventstore/connect.ts';
import { createLeaderCheck, type LeaderCheck } from '../../../src/eventstore/leaderCheck.ts';
import { until } from '../../support/eventually.ts';
import { failures } from '../../support/fakeEventStoreMessages.ts';
import { openFake } from './support.ts';

/** A fake that counts questions, and answers that it is not the leader if it `denies`. */
const openNode = async ({ denies = false } = {}) => {
  const fake = await openFake();
  const node = { url: fake.url, questions: 0, denies };
  fake.script.read = () => {
    node.questions += 1;
    return node.denies ? failures.notReady() : undefined;
  };
  return node;
};

/** Watches a subscription of a node by a client of its own, until the test ends. Resolves to how often it lost its leader. */
const watchIn = (check: LeaderCheck, name: string, url: string, isQuiet = () => true) => {
  const client = clientOf(url);
  const watched = { client, node: () => name, isQuiet, onLost: () => void counts.lost++ };
  const counts = { lost: 0 };
  check.watch(watched);
  onTestFinished(() => {
    check.unwatch(watched);
    return closeClient(client);
  });
  return counts;
};

it('notifies all subscriptions of a node that denies its leadership, and none of another', async () => {
  const [deposed, leader] = [await openNode({ denies: true }), await openNode()];
  const check = createLeaderCheck(10);
  const ofDeposed = [watchIn(check, 'deposed', deposed.url), watchIn(check, 'deposed', deposed.url, () => false)];
  const ofLeader = watchIn(check, 'leader', leader.url);
  await until(() => ofDeposed.every(({ lost }) => lost > 0) && leader.questions > 2);
  expect(ofLeader.lost).toBe(0);
});

it('asks a node by one connection after the other', async () => {
  const [one, other] = [await openNode(), await openNode()];
  const check = createLeaderCheck(10);
  watchIn(check, 'same', one.url);
  watchIn(check, 'same', other.url);
  await until(() => one.questions > 2 && other.questions > 2);
  expect(Math.abs(one.questions - other.questions)).toBeLessThanOrEqual(1);
});

it('asks nothing for subscriptions that receive', async () => {
  const [quiet, busy] = [await openNode(), await openNode()];
  const check = createLeaderCheck(10);
  watchIn(check, 'busy', busy.url, () => false);
  watchIn(check, 'quiet', quiet.url);
  await until(() => quiet.questions > 3);
  expect(busy.questions).toBe(0);
});
