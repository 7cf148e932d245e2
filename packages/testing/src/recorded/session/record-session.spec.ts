import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ContainerModule, createRunner, defineAgent, defineTool, type Runner, SessionService } from 'adorn';

import { callsTool, callsTools, says } from '../../scripted/scripted-step.js';
import { ScriptedModel } from '../../scripted/scripted.model.js';
import { recorded } from '../recorded.model.js';
import { recordSession } from './record-session.js';

const ADDRESS = { userId: 'ada', sessionId: 's1' };
const ORDER = { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] };

let ran: string[] = [];
let folder = '';
let file = '';

beforeEach(() => {
  ran = [];
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
    await using changed = await createRunner(shop('Serve nobody.'), { model });

    const { error } = await changed.run({ ...ADDRESS, message: 'Two prices' });
    expect(error?.message).toMatch(/-.*Serve the customers[\s\S]*\+.*Serve nobody/);
  });

  it('refuses a session that is not there', async () => {
    await using runner = await createRunner(shop(), { model: new ScriptedModel() });

    await expect(recordSession(runner, ADDRESS, file)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    expect(existsSync(file)).toBe(false);
  });
});

function shop(instruction = 'Serve the customers of a shop.') {
  const price = defineTool({
    ...{ name: 'find_price', description: 'The price of an order.', parameters: ORDER, effect: 'read' },
    run: ({ order }) => ran.push(`price of ${String(order)}`) && 7,
  });
  const refund = defineTool({
    ...{ name: 'refund_order', description: 'Pays back.', parameters: ORDER, confirm: true },
    run: ({ order }) => ran.push(`refund of ${String(order)}`) && 'refunded',
  });
  const courier = defineAgent({ name: 'courier', description: 'Knows where parcels are.' });
  return defineAgent({ name: 'clerk', instruction, tools: [price, refund], subAgents: [courier] });
}

async function converse(): Promise<Runner> {
  const model = new ScriptedModel(
    callsTools({ name: 'find_price', args: { order: 'A' } }, { name: 'find_price', args: { order: 'B' } }),
    says('Two prices.'),
    callsTool('refund_order', { order: 'A' }),
    says('Paid back.'),
    callsTool('transfer_to_agent', { agent_name: 'courier' }),
    says('The courier speaks.'),
    says('Still the courier.'),
  );
  const runner = await createRunner(shop(), { model });
  await talk(runner);
  await runner.run({ ...ADDRESS, message: 'And now?' });
  return runner;
}

async function talk(runner: Runner): Promise<string[]> {
  const said: string[] = [];
  for (const message of ['Two prices', 'Pay it back', 'The courier']) {
    const result = await runner.run({ ...ADDRESS, message });
    if (result.error) throw result.error;
    const [request] = result.pending;
    said.push(request ? (await runner.approve(request)).text : result.text);
  }
  return said;
}
