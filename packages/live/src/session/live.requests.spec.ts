import {
  callsAllLive,
  callsLive,
  callsTool,
  cancelsCalls,
  says,
  ScriptedLive,
  ScriptedModel,
  speaks,
  untilResponse,
  untilText,
} from '@adorn/testing';

import {
  agentTool,
  defineAgent,
  type FunctionTool,
  type PendingRequest,
  type Runner,
  workflow,
} from '@adorn/core';
import { createRunner, isTurnEnd, KEY, look, startLive, storedOf, until } from './live.fixture.js';
import { PENDING_RESPONSE } from '../../../core/src/events/placeholder-response.js';

describe('the request of a call, in a live session', () => {
  it('is answered for the one of two calls of a message, while the other waits on', async () => {
    const pay = look(undefined, { confirm: true });
    const { live, model, runner } = await startLive({ tools: [pay] }, [
      untilText(),
      callsAllLive({ id: 'c1', name: 'look', args: { at: 1 } }, { id: 'c2', name: 'look', args: { at: 2 } }),
      untilResponse(undefined, 2),
      speaks('Shall I?'),
      untilResponse('c2'),
      speaks('Done.'),
    ]);
    live.sendText('Look twice.');
    await until(live, isTurnEnd);
    const requests = await runner.pending(KEY);
    await live.approve(requests.find(({ functionCallId }) => functionCallId === 'c2') as PendingRequest);
    await until(live, isTurnEnd);

    expect(model.connection.responses.at(-1)).toEqual({
      id: 'c2',
      name: 'look',
      response: { result: 1 },
      scheduling: 'interrupt',
    });
    expect(await runner.pending(KEY)).toMatchObject([{ functionCallId: 'c1' }]);
    await live.close();
  });

  it('is answered as the event shows it, which does not name its session', async () => {
    const { live, model } = await startLive({ tools: [look(undefined, { confirm: true })] }, [
      untilText(),
      callsLive('look', {}, 'c1'),
      untilResponse('c1'),
      untilResponse('c1'),
    ]);
    live.sendText('Look.');
    const asked = (await until(live, ({ pending }) => pending.length > 0)).at(-1);
    await live.approve(asked?.pending[0] as PendingRequest);
    await until(live, ({ functionResponses }) =>
      functionResponses.some(({ response }) => response?.['result'] === 1),
    );
    await live.close();

    expect(model.connection.responses.at(-1)?.response).toEqual({ result: 1 });
  });

  it('is closed if the model cancels the call: nothing runs, and nothing is answered', async () => {
    let runs = 0;
    const pay = look(() => ++runs, { confirm: true });
    const { live, model, runner } = await startLive({ tools: [pay] }, [
      untilText(),
      callsLive('look', {}, 'c1'),
      untilResponse('c1'),
      cancelsCalls('c1'),
      speaks('Never mind.'),
    ]);
    live.sendText('Look.');
    await until(live, ({ functionResponses: [one] }) => one?.response?.['status'] === 'pending');
    const [request] = await runner.pending(KEY);
    await until(live, isTurnEnd);

    expect(await runner.pending(KEY)).toEqual([]);
    await expect(live.approve(request as PendingRequest)).rejects.toMatchObject({
      code: 'REQUEST_NOT_PENDING',
    });
    await live.close();
    expect([runs, model.connection.responses.length]).toEqual([0, 1]);
    expect((await storedOf(runner)).filter((line) => line.includes('← c1'))).toHaveLength(2);
  });

  it('is answered by the runner in its own session, of two that are open', async () => {
    const ran: unknown[] = [];
    const Clerk = defineAgent({
      name: 'clerk',
      tools: [look((args) => ran.push(args), { confirm: true })],
    });
    await using runner = await createRunner(Clerk, { model: new ScriptedModel() });
    const open = async (sessionId: string, at: number) => {
      const model = new ScriptedLive(
        untilText(),
        callsLive('look', { at }, 'c1'),
        untilResponse('c1'),
        speaks('Shall I?'),
        untilResponse('c1'),
        speaks('I have looked.'),
      );
      const live = runner.live({ ...KEY, sessionId, model });
      live.sendText('Look.');
      await until(live, isTurnEnd);
      return { live, model };
    };
    const first = await open('s1', 1);
    const second = await open('s2', 2);
    const [request] = await runner.pending({ ...KEY, sessionId: 's1' });

    await runner.approve(request as PendingRequest);
    await until(first.live, isTurnEnd);

    expect(ran).toEqual([{ at: 1 }]);
    expect([first, second].map(({ model }) => model.connection.responses.length)).toEqual([2, 1]);
    await first.live.close();
    await second.live.close();
  });

  it('may be of an earlier run by text: its result is told to the model as text', async () => {
    const Clerk = defineAgent({ name: 'clerk', tools: [look(undefined, { confirm: true })] });
    await using runner = await createRunner(Clerk, { model: new ScriptedModel(callsTool('look', {}, 't1')) });
    await runner.run({ ...KEY, message: 'Look.' });
    const model = new ScriptedLive(untilText(), speaks('I have looked.'));
    const live = runner.live({ ...KEY, model });
    await until(live, (event) => event.live?.kind === 'connected');
    await live.approve((await runner.pending(KEY))[0] as PendingRequest);
    await until(live, isTurnEnd);
    await live.close();

    expect(model.connection.texts).toEqual(['[look returned {"result":1}.]']);
    expect(model.connection.responses).toEqual([]);
  });
});

describe('the request of an agent that runs as a tool, in a live session', () => {
  it('is answered while the conversation goes on, and the result of the agent follows', async () => {
    const Payer = defineAgent({
      name: 'payer',
      description: 'Pays.',
      tools: [look(undefined, { confirm: true })],
    });
    const Clerk = defineAgent({ name: 'clerk', tools: [agentTool(Payer)] });
    await using runner = await createRunner(Clerk, {
      model: new ScriptedModel(callsTool('look', {}, 'c1'), says('It is paid.')),
    });
    const responses = await approveWithin(runner, 'payer');

    expect(responses.map(({ id, response }) => [id, response])).toEqual([
      ['p1', PENDING_RESPONSE],
      ['p1', { text: 'It is paid.' }],
    ]);
    expect(await runner.pending(KEY)).toEqual([]);
  });
});

describe('the request within a workflow that runs as a tool, in a live session', () => {
  it('is answered once: agents that had ended before do not run again', async () => {
    const checking = new ScriptedModel(says('It is open.'));
    const Checker = defineAgent({ name: 'checker', model: checking });
    const Payer = defineAgent({
      name: 'payer',
      tools: [look(undefined, { confirm: true })],
      model: new ScriptedModel(callsTool('look', {}, 'c1'), says('It is paid.')),
    });
    const Billing = workflow.sequence(Checker, Payer, { name: 'billing' });
    const Clerk = defineAgent({
      name: 'clerk',
      tools: [agentTool(Billing)],
      model: new ScriptedModel(),
    });
    await using runner = await createRunner(Clerk);
    const responses = await approveWithin(runner, 'billing');

    expect(checking.requests).toHaveLength(1);
    expect(responses.at(-1)).toMatchObject({ id: 'p1', response: { text: 'It is paid.' } });
    expect(await runner.pending(KEY)).toEqual([]);
  });
});

describe('the request of an agent that has handed over', () => {
  it('is answered while the next agent speaks: the call runs, and the next agent is told', async () => {
    const pay = look(undefined, { confirm: true });
    const Expert = defineAgent({ name: 'expert', description: 'Knows.' });
    const { live, model, runner } = await startLive({ tools: [pay], subAgents: [Expert] }, [
      untilText(),
      callsLive('look', {}, 'c1'),
      untilResponse('c1'),
      callsLive('transfer_to_agent', { agent_name: 'expert' }, 't1'),
      untilText(),
      speaks('I am the expert.'),
      untilText(),
      speaks('It is one.'),
    ]);
    live.sendText('Look, and ask the expert.');
    await until(live, isTurnEnd);
    await live.approve((await runner.pending(KEY))[0] as PendingRequest);
    const last = (await until(live, isTurnEnd)).at(-1);
    await live.close();

    expect([last?.author, model.connection.texts.at(-1)]).toEqual([
      'expert',
      '[look returned {"result":1}.]',
    ]);
    expect((await storedOf(runner)).filter((line) => line.includes('← c1'))).toEqual([
      'clerk ← c1 {"status":"pending"}',
      'clerk ← c1 {"result":1}',
    ]);
  });
});

describe('the request of an agent that has not spoken', () => {
  it('is not answered in the live session: the answer is refused, and the request stays', async () => {
    const Payer = defineAgent({
      name: 'payer',
      description: 'Pays.',
      tools: [look(undefined, { confirm: true })],
    });
    const Clerk = defineAgent({ name: 'clerk', subAgents: [Payer] });
    await using runner = await createRunner(Clerk, {
      model: new ScriptedModel(
        callsTool('transfer_to_agent', { agent_name: 'payer' }, 't1'),
        callsTool('look', {}, 'c1'),
        says('It is paid.'),
      ),
      config: { resumeAt: 'root' },
    });
    await runner.run({ ...KEY, message: 'Pay.' });
    const [request] = await runner.pending(KEY);
    const live = runner.live({ ...KEY, model: new ScriptedLive() });
    await until(live, (event) => event.live?.kind === 'connected');
    const refused = { code: 'REQUEST_OF_OTHER_AGENT', agentPath: 'clerk/payer' };

    await expect(live.approve(request as PendingRequest)).rejects.toMatchObject(refused);
    expect(await runner.pending(KEY)).toEqual([request]);
    await live.close();
    expect((await runner.approve(request as PendingRequest)).text).toBe('It is paid.');
  });
});

describe('the result of a long-running tool, in a live session', () => {
  const ordered = (): FunctionTool => look(() => ({ ticket: 7 }), { longRunning: true });

  it('is given to the model under the id of its call when it is supplied', async () => {
    const { live, model, runner } = await startLive({ tools: [ordered()] }, [
      untilText(),
      callsLive('look', {}, 'c1'),
      untilResponse('c1'),
      speaks('It is ordered.'),
      untilResponse('c1'),
      speaks('It is here.'),
    ]);
    live.sendText('Order it.');
    await until(live, isTurnEnd);
    await live.supply((await runner.pending(KEY))[0] as PendingRequest, { status: 'here' });
    await until(live, isTurnEnd);
    await live.close();

    expect(model.connection.responses).toEqual([
      { id: 'c1', name: 'look', response: { ticket: 7 }, willContinue: true },
      { id: 'c1', name: 'look', response: { status: 'here' }, scheduling: 'interrupt' },
    ]);
  });

  it('is told as text if the model has cancelled the call', async () => {
    const { live, model, runner } = await startLive({ tools: [ordered()] }, [
      untilText(),
      callsLive('look', {}, 'c1'),
      untilResponse('c1'),
      cancelsCalls('c1'),
      speaks('It is ordered.'),
      untilText(),
      speaks('It is here.'),
    ]);
    live.sendText('Order it.');
    await until(live, isTurnEnd);
    await live.supply((await runner.pending(KEY))[0] as PendingRequest, { status: 'here' });
    await until(live, isTurnEnd);
    await live.close();

    expect(model.connection.responses).toHaveLength(1);
    expect(model.connection.texts.at(-1)).toBe('[look returned {"status":"here"}.]');
  });

  it('is told as text if the call was made in an earlier run', async () => {
    const Clerk = defineAgent({ name: 'clerk', tools: [ordered()] });
    await using runner = await createRunner(Clerk, { model: new ScriptedModel(callsTool('look', {}, 't1')) });
    await runner.run({ ...KEY, message: 'Order it.' });
    const model = new ScriptedLive(untilText(), speaks('It is here.'));
    const live = runner.live({ ...KEY, model });
    await until(live, (event) => event.live?.kind === 'connected');
    await live.supply((await runner.pending(KEY))[0] as PendingRequest, { status: 'here' });
    await until(live, isTurnEnd);
    await live.close();

    expect(model.connection.texts).toEqual(['[look returned {"status":"here"}.]']);
  });
});

/**
 * Has an agent called that runs as a tool, and approves what it asks while the conversation goes on.
 *
 * @returns the responses that the model got
 */
async function approveWithin(runner: Runner, tool: string) {
  const model = new ScriptedLive(
    untilText(),
    callsLive(tool, { request: 'Pay.' }, 'p1'),
    untilResponse('p1'),
    speaks('Shall I?'),
    untilResponse('p1'),
    speaks('Paid.'),
  );
  const live = runner.live({ ...KEY, model });
  live.sendText('Pay.');
  await until(live, isTurnEnd);
  await live.approve((await runner.pending(KEY))[0] as PendingRequest);
  await until(live, isTurnEnd);
  await live.close();
  return model.connection.responses;
}
