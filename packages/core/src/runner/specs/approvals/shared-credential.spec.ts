import { callsTool, callsTools, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import { createRunner, defineAgent, FunctionTool, type Runner } from '../../../index.js';

describe('a credential that is supplied for one call', () => {
  it('is that of every call of its turn that waits for the same key, and of no other', async () => {
    const { runner, ran } = await start(
      callsTools({ name: 'read' }, { name: 'write' }, { name: 'mail' }),
      says('Done.'),
    );
    await say(runner, 'Go.');
    const [request, ...others] = await runner.pending(address);
    expect([request, ...others].map((one) => one?.tool)).toEqual(['read', 'write', 'mail']);

    const message = [
      { text: 'Here it is.' },
      { functionResponse: { id: request?.id ?? '', response: { credential: KEY } } },
    ];
    await eventsOf(runner.run({ ...address, message }));

    expect(ran).toEqual(['read with k-1', 'write with k-1']);
    expect((await runner.pending(address)).map(({ tool }) => tool)).toEqual(['mail']);
    const stored = (await events(runner)).filter(({ author }) => author === 'user').at(-1);
    expect(stored?.content?.parts).toEqual([
      { text: 'Here it is.' },
      ...[request, others[0]].map((one) => ({
        functionResponse: { id: one?.id, name: 'adk_request_credential', response: { status: 'received' } },
      })),
    ]);
  });

  it('does not answer a call of another turn, which asks by itself', async () => {
    const { runner, ran } = await start(callsTool('read'), callsTool('write'), says('Done.'));
    await say(runner, 'Read.');
    await say(runner, 'Write.');
    const [first] = await runner.pending(address);
    if (first === undefined) throw new Error('nothing is pending');

    await eventsOf(runner.supply(first, KEY));

    expect(ran).toEqual(['read with k-1']);
    expect((await runner.pending(address)).map(({ tool }) => tool)).toEqual(['write']);
  });

  it('answers one call once, also where one message supplies it for two', async () => {
    const { runner, ran } = await start(callsTools({ name: 'read' }, { name: 'write' }), says('Done.'));
    await say(runner, 'Go.');
    const requests = await runner.pending(address);

    const message = requests.map(({ id }) => ({
      functionResponse: { id, response: { credential: KEY } },
    }));
    await eventsOf(runner.run({ ...address, message }));

    expect(ran).toEqual(['read with k-1', 'write with k-1']);
    expect(await runner.pending(address)).toEqual([]);
  });
});

const KEY = { type: 'apiKey', apiKey: 'k-1' } as const;
const address = { userId: 'ada', sessionId: 's1' };

async function start(...steps: readonly ScriptedStep[]) {
  const ran: string[] = [];
  const toolThat = (name: string, key: string) =>
    new FunctionTool({
      name,
      description: '',
      parameters: { type: 'object' },
      auth: { scheme: { type: 'apiKey', in: 'header', name: 'X-Key' }, key },
      run: (_args, { credential }) =>
        ran.push(`${name} with ${credential?.type === 'apiKey' ? credential.apiKey : 'nothing'}`),
    });
  const tools = [toolThat('read', 'files'), toolThat('write', 'files'), toolThat('mail', 'post')];
  const model = new ScriptedModel(...steps);
  return { ran, runner: await createRunner(defineAgent({ name: 'clerk', tools }), { model }) };
}

function say(runner: Runner, message: string) {
  return eventsOf(runner.run({ ...address, message }));
}

async function events(runner: Runner) {
  return (await runner.sessions.getSession({ appName: 'clerk', ...address }))?.events ?? [];
}
