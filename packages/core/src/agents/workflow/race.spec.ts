import { callsTool, says, ScriptedModel } from '@adorn/testing';

import {
  agent,
  BaseAgent,
  defineAgent,
  type Event,
  FunctionTool,
  type InvocationContext,
  workflow,
  RaceAgent,
} from '../../index.js';
import { Conversation, Desk, gate, lines, MortalSessionService } from './workflow.fixture.js';

describe('RaceAgent', () => {
  it('answers with the first that answers, and cancels the others', async () => {
    const desk = new Desk();
    const never = gate();
    const slow = desk.agent('slow', async () => {
      await never.opened;
      return says('Slow.');
    });
    @agent({
      name: 'lookup',
      description: '',
      subAgents: [slow, desk.agent('fails'), desk.agent('fast', says('Fast.'))],
    })
    class Lookup extends RaceAgent {}
    const conversation = new Conversation(Lookup);
    const runner = await conversation.open();

    const { status, text, output, events } = await runner.run({ ...Conversation.address, message: 'Go.' });

    expect([status, text, output]).toEqual(['answered', 'Fast.', 'Fast.']);
    expect(lines(events)).not.toContain('lookup/slow: CANCELLED');
    const ends = (await conversation.stored()).filter(({ actions }) => actions.endOfAgent === true);
    expect(lines(ends)).toContain('lookup/slow: CANCELLED');
    never.open();
  });

  it('withdraws the question of one that waits, where another answers', async () => {
    const desk = new Desk();
    const asked = gate();
    const waits = desk.agent('waits', callsTool('publish'), says('Never.'));
    const late = desk.agent('late', async () => {
      await asked.opened;
      return says('Late.');
    });
    const conversation = new Conversation(
      workflow.sequence(
        workflow.race(waits, late, { name: 'race' }),
        desk.agent('last', callsTool('publish'), says('Last.')),
        {
          name: 'top',
        },
      ),
    );
    const runner = await conversation.open();
    const run = runner.run({ ...Conversation.address, message: 'Go.' });
    for await (const event of run) if (event.pending.length > 0 && event.author === 'waits') asked.open();
    const { status, pending } = await run;

    expect([status, pending.map(({ path }) => path)]).toEqual(['paused', ['top/last']]);
    expect((await conversation.pending()).map(({ path }) => path)).toEqual(['top/last']);
    expect(lines(await conversation.approve())).toEqual(['top/last: response publish', 'top/last: Last.']);
    expect(desk.ran).toEqual(['publish']);
    expect(waits.model.requests).toHaveLength(1);
  });

  it('answers the calls of agents that wait as tools, where another answers', async () => {
    const desk = new Desk();
    const printer = desk.agent('printer', callsTool('publish'));
    const clerk = defineAgent({
      name: 'clerk',
      model: new ScriptedModel(callsTool('printer', { request: 'Print.' }, 'c1')),
      tools: [printer],
    });
    const other = desk.agent('other', callsTool('publish'), says('Done.'));
    const conversation = new Conversation(workflow.race(clerk, other, { name: 'race' }));
    await conversation.say();
    const requests = await conversation.pending();

    const runner = await conversation.open();
    const { text } = await runner.approve(requests.find(({ path }) => path === 'race/other')!);

    const answers = (await conversation.stored()).flatMap(({ functionResponses, nodeInfo, isolationScope }) =>
      functionResponses.flatMap(({ response }) =>
        response?.['error'] === undefined ? [] : [[nodeInfo?.path, isolationScope !== undefined]],
      ),
    );
    expect([text, requests.length, answers]).toEqual([
      'Done.',
      2,
      [
        ['race/clerk/printer', true],
        ['race/clerk', false],
      ],
    ]);
    expect(await conversation.pending()).toEqual([]);
  });

  it('withdraws what the tool of an agent asks just when another answers', async () => {
    const asking = gate();
    const pay = new FunctionTool({
      name: 'pay',
      description: '',
      confirm: () => {
        asking.open();
        return true;
      },
      run: () => 'paid',
    });
    const payer = defineAgent({ name: 'payer', model: new ScriptedModel(callsTool('pay')), tools: [pay] });
    const clerk = defineAgent({
      name: 'clerk',
      model: new ScriptedModel(callsTool('payer', { request: 'Pay.' })),
      tools: [payer],
    });
    const other = new Desk().agent('other', async () => {
      await asking.opened;
      return says('Done.');
    });
    const conversation = new Conversation(workflow.race(clerk, other, { name: 'race' }));
    const runner = await conversation.open();

    const result = await runner.run({ ...Conversation.address, message: 'Go.' });

    expect([result.status, result.text, result.pending]).toEqual(['answered', 'Done.', []]);
    const answered = (await conversation.stored()).flatMap(({ functionResponses }) =>
      functionResponses.flatMap(({ name, willContinue }) => (willContinue === true ? [] : [name])),
    );
    expect(answered).toEqual(['pay', 'payer']);
  });

  it('waits where one waits and none has answered, and goes on in another process', async () => {
    const desk = new Desk();
    const tree = workflow.race(desk.agent('fails'), desk.agent('waits', callsTool('publish'), says('Done.')));
    const conversation = new Conversation(tree);
    await conversation.say();
    const [request] = await conversation.pending();

    const { status, text } = await (await conversation.open()).approve(request!);

    expect([status, text]).toEqual(['answered', 'Done.']);
  });

  it('fails where all fail', async () => {
    const desk = new Desk();
    const runner = await new Conversation(workflow.race(desk.agent('a'), desk.agent('b'))).open();

    expect((await runner.run({ message: 'Go.' })).status).toBe('failed');
  });

  it('leaves a loser behind that does not end, and stores nothing of it any more', async () => {
    const hangs = gate();
    const woken = gate();
    const faults: unknown[] = [];
    @agent({ name: 'stubborn', description: '' })
    class Stubborn extends BaseAgent {
      async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
        yield context.event({ author: 'stubborn', content: { role: 'model', parts: [{ text: 'Wait.' }] } });
        await hangs.opened;
        await context
          .append(context.event({ author: 'stubborn' }))
          .catch((error: unknown) => faults.push(error));
        woken.open();
        yield context.event({ author: 'stubborn', content: { role: 'model', parts: [{ text: 'Here!' }] } });
      }
    }
    const desk = new Desk();
    const wakes = desk.agent('wakes', async () => {
      hangs.open();
      await woken.opened;
      return says('Awake.');
    });
    const tree = workflow.race(Stubborn, desk.agent('fast', says('Fast.')), { name: 'race' });
    const conversation = new Conversation(workflow.sequence(tree, wakes, { name: 'top' }));

    const events = await conversation.say();

    expect(lines(events)).toEqual(['top/race/stubborn: Wait.', 'top/race/fast: Fast.', 'top/wakes: Awake.']);
    expect(faults).toMatchObject([{ code: 'CANCELLED' }]);
    expect(lines(await conversation.stored())).not.toContain('top/race/stubborn: Here!');
    expect(conversation.log.warnings).toEqual([
      ['an agent was cancelled and does not end; it is abandoned', { agent: 'top/race/stubborn' }],
    ]);
  });

  it('answers the calls of a loser once, also if a person had approved them before the process died', async () => {
    const hangs = gate();
    const slow = new FunctionTool({
      name: 'slow',
      description: '',
      confirm: true,
      idempotent: true,
      run: () => hangs.opened,
    });
    const loser = defineAgent({ name: 'b', model: new ScriptedModel(callsTool('slow')), tools: [slow] });
    const sessions = new MortalSessionService();
    const winner = new Desk().agent('a', callsTool('publish'), says('A.'));
    const conversation = new Conversation(workflow.race(winner, loser, { name: 'race' }), sessions);
    await conversation.say();
    const approved = (await conversation.pending()).map(({ id }) => ({
      functionResponse: { id, name: 'adk_request_confirmation', response: { confirmed: true } },
    }));
    sessions.left = 4;
    const runner = await conversation.open();
    const message = { role: 'user', parts: approved };
    await expect(runner.run({ ...Conversation.address, message })).rejects.toThrow('dead');
    sessions.left = Infinity;

    const { text } = await (await conversation.open()).resume(Conversation.address);
    hangs.open();

    const responses = (await conversation.stored()).flatMap(({ functionResponses }) => functionResponses);
    const ofLoser = responses.filter(({ name, willContinue }) => name === 'slow' && willContinue !== true);
    expect([text, ofLoser]).toMatchObject(['A.', [{ response: { error: expect.any(String) as string } }]]);
  });
});
