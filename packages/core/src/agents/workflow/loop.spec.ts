import { callsTool, says, ScriptedModel } from '@adorn/testing';

import {
  agent,
  type AgentResult,
  defineAgent,
  exitLoop,
  FunctionTool,
  workflow,
  LoopAgent,
  type PendingRequest,
  type Run,
  type Runner,
} from '../../index.js';
import { Conversation, Desk, lines } from './workflow.fixture.js';

describe('LoopAgent', () => {
  it('runs its sub-agents until `until` holds, and answers with the last', async () => {
    const desk = new Desk();
    const writer = desk.agent('writer', says('A.'), says('B.'));
    const critic = desk.agent('critic', says('bad'), says('good'));
    @agent({ name: 'room', description: '', subAgents: [writer, critic], maxIterations: 9 })
    class Room extends LoopAgent {
      override until({ text }: AgentResult): boolean {
        return text === 'good';
      }
    }
    const runner = await new Conversation(Room).open();

    const { events, text, status } = await runner.run({ message: 'Go.' });

    expect(lines(events)).toEqual([
      'room/writer: A.',
      'room/critic: bad',
      'room/writer@2: B.',
      'room/critic@2: good',
    ]);
    expect([text, status]).toEqual(['good', 'answered']);
  });

  it('ends after `maxIterations` rounds without a fault', async () => {
    const desk = new Desk();
    const runner = await new Conversation(
      workflow.loop(desk.agent('a', says('1'), says('2')), { maxIterations: 2 }),
    ).open();

    expect(await runner.ask('Go.')).toBe('2');
  });

  it('that states no limit fails after 50 rounds', async () => {
    const desk = new Desk();
    const rounds = Array.from({ length: 60 }, (_, index) => says(String(index + 1)));
    const counter = desk.agent('a', ...rounds);
    const runner = await new Conversation(workflow.loop(counter)).open();

    const { status, text, error, events } = await runner.run({ message: 'Go.' });

    expect([status, text, events.at(-1)?.errorCode]).toEqual(['failed', '50', 'MAX_ITERATIONS']);
    expect(error?.message).toContain('Set maxIterations');
    expect(counter.model.requests).toHaveLength(50);
  });

  it('ends with the run that is cancelled', async () => {
    const desk = new Desk();
    const counter = desk.agent('a', says('1'), says('2'), says('3'));
    const runner = await new Conversation(workflow.loop(counter, { maxIterations: 3 })).open();
    const run = runner.run({ message: 'Go.' });

    const seen: (string | undefined)[] = [];
    for await (const { text, errorCode } of run) {
      seen.push(errorCode ?? text);
      if (text === '2') runner.cancel(run.invocationId);
    }

    expect(seen).toEqual(['1', '2', 'CANCELLED']);
  });

  it('shares the budget of model calls with all that it runs', async () => {
    const desk = new Desk();
    const counter = desk.agent('a', says('1'), says('2'), says('3'));
    const runner = await new Conversation(workflow.loop(counter, { maxIterations: 3 })).open();

    const { events, status } = await runner.run({ message: 'Go.', config: { maxLlmCalls: 2 } });

    expect([status, events.map(({ text, errorCode }) => errorCode ?? text)]).toEqual([
      'failed',
      ['1', '2', 'LLM_CALL_LIMIT'],
    ]);
  });

  it('ends at an escalation, and keeps it to itself', async () => {
    const desk = new Desk();
    const exits = desk.agent('exits', says('Again.'), callsTool('exit_loop'), says('Never.'));
    const inner = workflow.loop(exits, desk.agent('never', says('Between.')), { name: 'inner' });
    const behind = desk.agent('behind', says('Behind.'));

    const events = await new Conversation(workflow.sequence(inner, behind, { name: 'top' })).say();

    expect(lines(events)).toEqual([
      'top/inner/exits: Again.',
      'top/inner/never: Between.',
      'top/inner/exits@2: call exit_loop',
      'top/inner/exits@2: response exit_loop',
      'top/behind: Behind.',
    ]);
  });

  it.each<[string, (runner: Runner<unknown>, request: PendingRequest) => Run<unknown>]>([
    ['publish', (runner, request) => runner.approve(request)],
    ['order', (runner, request) => runner.supply(request, 'delivered')],
  ])(
    'ends the loop that `exit_loop_outer` names also where `%s` of the same answer waits',
    async (beside, answer) => {
      const parts = ['exit_loop_outer', beside].map((name) => ({ functionCall: { name, args: {} } }));
      const model = new ScriptedModel({ content: { role: 'model', parts } });
      const order = new FunctionTool({
        name: 'order',
        description: '',
        longRunning: true,
        run: () => 'ordered',
      });
      const tools = [exitLoop('outer'), new Desk().publish, order];
      const exits = defineAgent({ name: 'exits', description: '', model, tools });
      const outer = workflow.loop(workflow.loop(exits, { name: 'inner' }), { name: 'outer' });
      const conversation = new Conversation(outer);
      await conversation.say();
      const [request] = await conversation.pending();

      const { status } = await answer(await conversation.open(), request!);

      expect(status).toBe('answered');
      expect(model.requests).toHaveLength(1);
    },
  );

  it('ends where an agent in an inner loop exits it by name, and no other loop that has this name in it', async () => {
    const desk = new Desk();
    const exits = desk.agent('exits', says('Again.'), callsTool('exit_loop_outer'));
    const inner = workflow.loop(exits, { name: 'inner', maxIterations: 5 });
    const outer = workflow.loop(inner, desk.agent('never'), { name: 'outer' });
    const behind = desk.agent('behind', says('Behind.'));

    const events = await new Conversation(workflow.sequence(outer, behind, { name: 'top' })).say();

    expect(lines(events).slice(1)).toEqual([
      'top/outer/inner/exits@2: call exit_loop_outer',
      'top/outer/inner/exits@2: response exit_loop_outer',
      'top/outer/inner: escalates',
      'top/behind: Behind.',
    ]);
  });

  it('is not left by the name of a loop that is not above: the model is told the agents above', async () => {
    const desk = new Desk();
    const exits = desk.agent('exits', callsTool('exit_loop_outer'), says('Well.'));
    const inner = workflow.loop(exits, { name: 'inner', maxIterations: 1 });
    const behind = desk.agent('behind', says('Behind.'));

    const events = await new Conversation(workflow.sequence(inner, behind, { name: 'top' })).say();

    expect(events[1]?.functionResponses[0]?.response).toEqual({
      error: 'The agent is in no loop "outer". Above it: inner, top. Nothing was ended.',
    });
    expect(lines(events).slice(2)).toEqual(['top/inner/exits: Well.', 'top/behind: Behind.']);
  });

  it('is not left from an agent that is a tool: it answers its caller', async () => {
    const desk = new Desk();
    const called = desk.agent('called', callsTool('exit_loop'), says('Done.'));
    const model = new ScriptedModel(callsTool('called', { request: 'Go.' }), says('Heard.'));
    const asks = defineAgent({ name: 'asks', model, tools: [called] });

    const events = await new Conversation(workflow.loop(asks, { name: 'rounds', maxIterations: 1 })).say();

    expect(events[1]?.functionResponses[0]?.response).toEqual({ text: 'Done.' });
    expect(called.model.requests[1]?.contents.at(-1)?.parts?.[0]?.functionResponse?.response).toEqual({
      error: 'The agent is in no loop. Nothing was ended.',
    });
  });

  it('fails where `until` throws, also at the root, and names the loop', async () => {
    const desk = new Desk();
    const until = () => {
      throw new Error('no network');
    };
    const runner = await new Conversation(
      workflow.loop(desk.agent('a', says('1')), { name: 'rounds', until }),
    ).open();

    const { status, events } = await runner.run({ message: 'Go.' });

    expect([status, events.at(-1)?.errorCode, events.at(-1)?.errorMessage]).toEqual([
      'failed',
      'UNTIL_FAILED',
      'until of the loop "rounds" failed: no network',
    ]);
  });

  it('ends with the failure of a sub-agent', async () => {
    const desk = new Desk();
    const runner = await new Conversation(
      workflow.loop(desk.agent('once', says('1')), { maxIterations: 3 }),
    ).open();

    const { status, events } = await runner.run({ message: 'Go.' });

    expect([status, events.length]).toEqual(['failed', 2]);
  });

  it('goes on in the round that paused, in another process, with the answers that `until` gave', async () => {
    const desk = new Desk();
    const asked: string[] = [];
    const writer = desk.agent('writer', says('A.'), callsTool('publish'), says('B.'));
    const critic = desk.agent('critic', says('bad'), says('good'));
    const until = ({ text }: AgentResult<unknown>) => {
      asked.push(text);
      return asked.length > 1;
    };
    const conversation = new Conversation(workflow.loop(writer, critic, { until, name: 'room' }));
    await conversation.say();

    const after = await conversation.approve();

    expect(lines(after)).toEqual([
      'room/writer@2: response publish',
      'room/writer@2: B.',
      'room/critic@2: good',
    ]);
    expect([asked, desk.ran]).toEqual([['bad', 'good'], ['publish']]);
  });
});
