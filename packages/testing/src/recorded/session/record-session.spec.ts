import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ContainerModule, createRunner, defineAgent, defineTool, SessionService } from 'adorn';

import { callsTool, says } from '../../scripted/scripted-step.js';
import { ScriptedModel } from '../../scripted/scripted.model.js';
import { recorded } from '../recorded.model.js';
import { recordSession } from './record-session.js';
import { replayCassette } from './replay-cassette.js';
import { ADDRESS, converse, ORDER, ran, shop, talk } from './shop.fixture.js';

let folder = '';
let file = '';

beforeEach(() => {
  ran.length = 0;
  folder = mkdtempSync(join(tmpdir(), 'session-cassette-'));
  file = join(folder, 'shop.cassette.json');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('recordSession', () => {
  it('makes a cassette of parallel calls, a confirmation and a hand-over, and runs nothing', async () => {
    await using runner = await converse();
    const model = new ScriptedModel();
    const before = [...ran];

    const size = await recordSession(runner, ADDRESS, file);

    expect(size).toBe(7);
    expect(ran).toEqual(before);
    const cassette = recorded(model, file, { mode: 'replay' });
    await using replayer = await createRunner(shop(), { model: cassette });
    expect(await talk(replayer)).toEqual(['Two prices.', 'Paid back.', 'The courier speaks.']);
    expect((await replayer.run({ ...ADDRESS, message: 'And now?' })).text).toBe('Still the courier.');
    cassette.assertDone();
    expect(model.requests).toEqual([]);
  });

  it('says where the conversation takes another course, and leaves the cassette as it was', async () => {
    await using runner = await converse();
    await recordSession(runner, ADDRESS, file);
    const before = readFileSync(file, 'utf8');
    const dearer = defineTool({
      name: 'find_price',
      description: 'Asks first.',
      parameters: ORDER,
      confirm: true,
      run: () => 1,
    });
    await using other = await createRunner(
      defineAgent({ name: 'clerk', description: 'Serves.', tools: [dearer] }),
      {
        model: new ScriptedModel(),
        modules: [
          new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(runner.sessions)),
        ],
      },
    );

    await expect(recordSession(other, ADDRESS, file)).rejects.toMatchObject({
      code: 'SESSION_NOT_RECORDABLE',
      message: expect.stringMatching(
        /In the log: find_price returns \{"result":7\}\. Now: find_price returns \{"status":"pending"\}\./,
      ),
    });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('takes an instruction as it is now, which is what a test is about', async () => {
    await using runner = await converse();
    await recordSession(runner, ADDRESS, file);

    const model = recorded(new ScriptedModel(), file, { mode: 'replay' });
    await using changed = await createRunner(shop({ instruction: 'Serve nobody.' }), { model });

    const { error } = await changed.run({ ...ADDRESS, message: 'Two prices' });
    expect(error?.message).toMatch(/-.*Serve the customers[\s\S]*\+.*Serve nobody/);
  });

  it('knows the state that a conversation began with, and what its tools wrote', async () => {
    const move = defineTool({
      name: 'move_to',
      description: 'Notes the city.',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      run: ({ city }, { state }) => {
        ran.push('move_to');
        state.set('city', city);
        return 'noted';
      },
    });
    const instruction = '{name} lives in {city} and likes {user:taste}.';
    const desk = defineAgent({ name: 'desk', description: 'Serves.', instruction, tools: [move] });
    const model = new ScriptedModel(callsTool('move_to', { city: 'Rome' }), says('Noted.'));
    await using runner = await createRunner(desk, { model });
    const key = { appName: runner.appName, ...ADDRESS };
    const state = { name: 'Ada', city: 'Oslo', 'user:taste': 'tea' };
    await runner.sessions.createSession(key, state);
    await runner.run({ ...ADDRESS, message: 'I moved to Rome.' });

    await recordSession(runner, ADDRESS, file);

    expect(ran).toEqual(['move_to']);
    const { exchanges } = JSON.parse(readFileSync(file, 'utf8')) as { exchanges: { request: unknown }[] };
    expect(exchanges.map(({ request }) => request)).toMatchObject([
      { systemInstruction: expect.stringContaining('Ada lives in Oslo and likes tea.') },
      { systemInstruction: expect.stringContaining('Ada lives in Rome and likes tea.') },
    ]);
  });

  it('has an answer of another person, and the state that came with a message', async () => {
    const refund = defineTool({
      name: 'refund_order',
      description: 'Pays back.',
      parameters: ORDER,
      confirm: true,
      approvers: { role: 'finance' },
      run: () => 'refunded',
    });
    const clerk = defineAgent({ name: 'clerk', instruction: 'Serve {city}.', tools: [refund] });
    const model = new ScriptedModel(callsTool('refund_order', { order: 'A' }), says('Paid back.'));
    await using runner = await createRunner(clerk, { model });
    const message = 'Pay A back';
    const { pending } = await runner.run({ ...ADDRESS, message, stateDelta: { city: 'Oslo' } });
    const [request] = pending;
    if (request) await runner.approve(request, { by: { id: 'bob', roles: ['finance'] } });

    expect(await recordSession(runner, ADDRESS, file)).toBe(2);
    expect((await replayCassette(runner, file)).difference).toBeUndefined();
  });

  it('leaves secrets out of the conversation', async () => {
    await using runner = await createRunner(shop(), { model: new ScriptedModel(says('Thanks.')) });
    await runner.run({ ...ADDRESS, message: 'The code is 4711-0815.' });

    await recordSession(runner, ADDRESS, file, { secrets: ['4711-0815'] });

    expect(readFileSync(file, 'utf8')).not.toContain('4711');
  });

  it('refuses a session that is not there', async () => {
    await using runner = await createRunner(shop(), { model: new ScriptedModel() });

    await expect(recordSession(runner, ADDRESS, file)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    expect(existsSync(file)).toBe(false);
  });
});
