import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createRunner, defineAgent, type Plugin, type Runner } from 'adorn';

import { callsTool, says } from '../../scripted/scripted-step.js';
import { ScriptedModel } from '../../scripted/scripted.model.js';
import { recorded } from '../recorded.model.js';
import { recordSession } from './record-session.js';
import { replayCassette } from './replay-cassette.js';
import { ADDRESS, converse, ran, shop } from './shop.fixture.js';

let folder = '';
let file = '';

beforeEach(() => {
  ran.length = 0;
  folder = mkdtempSync(join(tmpdir(), 'replayed-cassette-'));
  file = join(folder, 'shop.cassette.json');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const runnerOf = (changed?: Parameters<typeof shop>[0]): Promise<Runner> =>
  createRunner(shop(changed), { model: new ScriptedModel() });

describe('a replayed cassette', () => {
  describe.each([
    ['of a stored conversation', recordStored],
    ['of a test', recordTest],
  ])('%s', (_what, record) => {
    beforeEach(() => record());

    it('is the same conversation, with its approval and hand-over, and runs nothing', async () => {
      await using runner = await runnerOf();
      ran.length = 0;

      const replay = await replayCassette(runner, file);

      expect(replay).toMatchObject({ exchanges: 7, replayed: 7, difference: undefined });
      expect(ran).toEqual([]);
    });

    it('shows the first request that differs', async () => {
      await using runner = await runnerOf({ instruction: 'Serve nobody.' });

      const { replayed, difference } = await replayCassette(runner, file);

      expect(replayed).toBe(0);
      expect(difference).toMatchObject({
        message: 1,
        said: 'Two prices',
        what: 'A request is not recorded.',
      });
      expect(difference?.diff).toMatch(/-.*Serve the customers[\s\S]*\+.*Serve nobody/);
    });

    it('runs the tools if asked to, and shows what they return now', async () => {
      await using runner = await runnerOf({ price: 8 });
      const { difference } = await replayCassette(runner, file, { runsTools: true });

      expect(ran).toContain('price of A');
      expect(difference?.diff).toMatch(/^-.*"result": 7\n\+.*"result": 8/m);
    });
  });

  it('says if what the user has approved is not asked any more', async () => {
    await recordStored();
    await using runner = await runnerOf({ asksFirst: false });

    expect((await replayCassette(runner, file)).difference).toEqual({
      message: 3,
      said: '',
      what: 'This answers what the user is not asked any more.',
    });
  });

  describe.each([
    ['of a stored conversation', (runner: Runner) => recordSession(runner, ADDRESS, file)],
    ['of a test', async (runner: Runner) => forgetConversation(await recordSession(runner, ADDRESS, file))],
  ])('%s', (_what, record) => {
    it('has the rejection of a call', async () => {
      const model = new ScriptedModel(callsTool('refund_order', { order: 'A' }), says('Then not.'));
      await using runner = await createRunner(shop(), { model });
      const { pending } = await runner.run({ ...ADDRESS, message: 'Pay it back' });
      const [request] = pending;
      if (request) await runner.reject(request, { reason: 'Too dear.' });
      await record(runner);

      expect(await replayCassette(runner, file)).toMatchObject({ replayed: 2, difference: undefined });
    });

    it('has an agent that works as a tool', async () => {
      const translator = defineAgent({ name: 'translator', description: 'Translates.' });
      const desk = defineAgent({ name: 'desk', description: 'Serves.', tools: [translator] });
      const model = new ScriptedModel(
        callsTool('translator', { request: 'Guten Tag' }),
        says('Good day.'),
        says('It means "Good day."'),
      );
      await using runner = await createRunner(desk, { model });
      await runner.run({ ...ADDRESS, message: 'What is "Guten Tag"?' });
      await record(runner);

      expect(await replayCassette(runner, file)).toEqual({
        ...{ messages: 1, exchanges: 3, replayed: 3, difference: undefined },
      });
    });
  });

  it('says what a test has asked for and the agents do not ask for any more', async () => {
    const model = new ScriptedModel(callsTool('find_price', { order: 'A' }), says('Seven.'));
    await recordWith(model, ['The price']);
    const quiet: Plugin = {
      name: 'quiet',
      afterModel: () => ({ content: { role: 'model', parts: [{ text: 'No price today.' }] } }),
    };

    await using runner = await createRunner(shop(), { model: new ScriptedModel(), plugins: [quiet] });
    const { difference } = await replayCassette(runner, file);
    expect(difference?.what).toBe('1 recorded request less: 1.');
  });

  it('refuses what its requests do not tell', async () => {
    await recordWith(new ScriptedModel(says('One.'), says('Two.')), ['A', 'B'], ['s1', 's2']);
    await using runner = await runnerOf();
    await expect(replayCassette(runner, file)).rejects.toMatchObject({
      code: 'CASSETTE_NOT_REPLAYABLE',
      message: expect.stringContaining('exchange 1 begins another conversation'),
    });

    await expect(replayCassette(runner, join(folder, 'none.json'))).rejects.toMatchObject({
      code: 'CASSETTE_INVALID',
    });
    // @ts-expect-error: an option that there is not
    await expect(replayCassette(runner, file, { runTools: true })).rejects.toMatchObject({
      code: 'OPTION_INVALID',
    });
  });

  it('replays the failure of a model as it was', async () => {
    const model = new ScriptedModel(() => Promise.reject(new Error('The model is down.')));
    await recordWith(model, ['Hello']);

    await using runner = await runnerOf();
    expect(await replayCassette(runner, file)).toMatchObject({ replayed: 1, difference: undefined });
  });
});

async function recordStored(): Promise<void> {
  await using runner = await converse();
  await recordSession(runner, ADDRESS, file);
}

async function recordTest(): Promise<void> {
  await recordStored();
  forgetConversation();
}

/** Leaves in the file what a test records: nothing but requests and answers. */
function forgetConversation(_size = 0): void {
  const cassette = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  const { conversation: _conversation, ...others } = cassette;
  writeFileSync(file, JSON.stringify(others));
}

/** Sends messages to the shop, as a test does; each to the session of its place, or all to the same. */
async function recordWith(
  answers: ScriptedModel,
  messages: readonly string[],
  sessionIds: readonly string[] = [],
): Promise<void> {
  const model = recorded(answers, file, { mode: 'record' });
  await using runner = await createRunner(shop(), { model });
  for (const [place, message] of messages.entries())
    await runner.run({ userId: 'ada', sessionId: sessionIds[place] ?? 's1', message });
}
