import { callsTool, says, ScriptedModel } from '@adorn/testing';

import {
  agent,
  type AgentClass,
  BaseAgent,
  createRunner,
  defineAgent,
  type Event,
  workflow,
  LlmAgent,
  LoopAgent,
  MapAgent,
  ParallelAgent,
  SequentialAgent,
} from '../../index.js';
import { Conversation, Desk, gate, lines } from './workflow.fixture.js';

interface City {
  readonly city: string;
}

const schema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
} as const;

describe('a workflow with options that cannot be right', () => {
  const child = defineAgent({ name: 'child' });
  const other = defineAgent({ name: 'other' });

  it.each<[string, () => AgentClass<unknown>, string]>([
    [
      'no sub-agents',
      () => workflow.sequence(),
      'it has no sub-agents to run. List them: @agent({ subAgents: [First, Second] })',
    ],
    ['a loop of none', () => workflow.loop({ maxIterations: 2 }), 'it has no sub-agents to run'],
    ['a race of none', () => workflow.race(), 'it has no sub-agents to run'],
    ['a fallback of none', () => workflow.fallback(), 'it has no sub-agents to run'],
    [
      'no round',
      () => workflow.loop(child, { maxIterations: 0 }),
      'maxIterations is 0. Pass a whole number of at least 1',
    ],
    ['half a round', () => workflow.loop(child, { maxIterations: 1.5 }), 'maxIterations is 1.5'],
    ['rounds that are none', () => workflow.loop(child, { maxIterations: NaN }), 'maxIterations is NaN'],
    ['no room', () => workflow.parallel(child, { concurrency: 0 }), 'concurrency is 0'],
    ['rounds as a text', () => workflow.loop(child, { maxIterations: '3' as never }), 'maxIterations is "3"'],
    [
      'a map of nothing',
      () => workflow.map(child, { itemsKey: '' }),
      'it has no list to go through. Name its state key',
    ],
    [
      'a map of two',
      () => declared(MapAgent, { itemsKey: 'a', subAgents: [child, other] }),
      'it has 2 sub-agents, and runs one for each item. Put them into one sequence',
    ],
    [
      'rounds for a sequence',
      () => declared(SequentialAgent, { maxIterations: 3, subAgents: [child] }),
      'maxIterations has no effect, because the class extends SequentialAgent. Remove the option.',
    ],
    [
      'an instruction for a parallel agent',
      () => declared(ParallelAgent, { instruction: 'Go.', subAgents: [child] }),
      'instruction has no effect, because the class extends ParallelAgent',
    ],
    [
      'a list for an agent with a model',
      () => declared(LlmAgent, { itemsKey: 'a' }),
      'itemsKey has no effect, because the class extends LlmAgent',
    ],
    [
      'room for an own agent',
      () => declared(BaseAgent, { concurrency: 2, subAgents: [child] }),
      'concurrency has no effect, because the class does not extend LlmAgent',
    ],
  ])('is refused: %s', async (_what, tree, message) => {
    const creating = Promise.resolve().then(() =>
      createRunner(tree(), { model: new Desk().agent('m').model }),
    );

    await expect(creating).rejects.toMatchObject({
      code: 'AGENT_CONFIG_INVALID',
      message: expect.stringContaining(message) as string,
    });
  });
});

describe('a workflow whose budget is spent', () => {
  const many = (name: string) => new Desk().agent(name, ...Array.from({ length: 9 }, () => says(`${name}.`)));
  const items = { items: [1, 2, 3] };

  it.each<[string, number, AgentClass<unknown>]>([
    ['a list', 2, workflow.map(many('a'), { itemsKey: 'items', outputKey: 'all' })],
    ['branches', 2, workflow.parallel(many('a'), many('b'), many('c'))],
    ['a fallback', 1, workflow.sequence(many('a'), workflow.fallback(many('b'), many('c')))],
    ['a race', 1, workflow.sequence(many('a'), workflow.race(many('b'), many('c')))],
    [
      'a sequence of branches',
      2,
      workflow.sequence(workflow.parallel(many('a'), many('b'), many('c')), many('d')),
    ],
  ])('ends the invocation, also within %s', async (_what, maxLlmCalls, tree) => {
    const conversation = new Conversation(tree);
    const runner = await conversation.open();

    const { status, error, events, output } = await runner.run({
      ...Conversation.address,
      message: 'Go.',
      stateDelta: items,
      config: { maxLlmCalls },
    });

    expect([status, output]).toEqual(['failed', undefined]);
    expect(error).toMatchObject({ event: { errorCode: 'LLM_CALL_LIMIT' } });
    expect(events.at(-1)?.errorCode).toBe('LLM_CALL_LIMIT');
    expect(await conversation.state()).toEqual(items);
  });

  it('ends the invocation though a branch answers after that', async () => {
    const limit = gate();
    const late = new Desk().agent('late', async () => {
      await limit.opened;
      return says('Late.');
    });
    const spends = new Desk().agent('spends', callsTool('note'), says('Never.'));
    const runner = await new Conversation(workflow.parallel(late, spends, { name: 'both' })).open();

    const run = runner.run({ message: 'Go.', config: { maxLlmCalls: 2 } });
    const events: Event[] = [];
    for await (const event of run) {
      events.push(event);
      if (event.errorCode !== undefined) limit.open();
    }

    expect(lines(events).slice(-3)).toEqual([
      'both/spends: LLM_CALL_LIMIT',
      'both/late: Late.',
      'both: LLM_CALL_LIMIT',
    ]);
    expect((await run).status).toBe('failed');
  });

  it('continues with the answer to a branch, if the limit is higher then', async () => {
    const asks = new Desk().agent('asks', callsTool('publish'), says('Published.'));
    const spends = new Desk().agent('spends', callsTool('note'), says('Done.'));
    const runner = await new Conversation(workflow.parallel(asks, spends, { name: 'both' })).open();
    const { pending } = await runner.run({ message: 'Go.', config: { maxLlmCalls: 2 } });
    const [request] = pending;

    const result = await runner.approve(request!, { config: { maxLlmCalls: 4 } });

    expect([result.status, result.output]).toEqual(['answered', ['Published.', 'Done.']]);
  });

  it('is the failure of a call where the workflow is a tool, and then the end of its caller', async () => {
    const workers = workflow.map(many('a'), { itemsKey: 'items', name: 'workers' });
    const model = new ScriptedModel(callsTool('workers', { request: 'Go.' }, 'c1'), says('Never.'));
    const runner = await createRunner(defineAgent({ name: 'asks', tools: [workers], model }));

    const { status, events } = await runner.run({
      message: 'Go.',
      stateDelta: items,
      config: { maxLlmCalls: 3 },
    });

    expect(events[1]?.functionResponses[0]?.response).toEqual({
      text: '',
      error: 'invocation exhausted its budget of model calls',
    });
    expect([status, events.at(-1)?.errorCode]).toEqual(['failed', 'LLM_CALL_LIMIT']);
  });
});

describe('a workflow without a class', () => {
  it('is named after its agents, and gets a number where the name is taken', async () => {
    const desk = new Desk();
    const [a, b] = [desk.agent('a'), desk.agent('b')];
    const until = () => true;
    const tree = workflow.sequence(
      workflow.loop(a, { until }),
      workflow.loop(a),
      workflow.parallel(b, workflow.loop(a), { name: 'both' }),
    );

    const runner = await new Conversation(tree).open();

    expect(runner.root.name).toBe('a_loop_a_loop_both_sequence');
    expect(runner.root.subAgents.map(({ name }) => name)).toEqual(['a_loop', 'a_loop_2', 'both']);
    expect(runner.root.subAgents[2]?.subAgents.map(({ path }) => path)).toEqual([
      'a_loop_a_loop_both_sequence/both/b',
      'a_loop_a_loop_both_sequence/both/a_loop_3',
    ]);
  });

  it('is named after its kind where the names are long', async () => {
    const desk = new Desk();
    const long = Array.from({ length: 9 }, (_, index) => desk.agent(`agent_number_${String(index)}`));

    expect((await new Conversation(workflow.sequence(...long)).open()).root.name).toBe('sequence');
  });

  it('refuses a name that was given twice', async () => {
    const desk = new Desk();
    const tree = workflow.sequence(
      workflow.loop(desk.agent('a'), { name: 'x' }),
      workflow.loop(desk.agent('b'), { name: 'x' }),
    );

    await expect(new Conversation(tree).open()).rejects.toMatchObject({ code: 'AGENT_NAME_TAKEN' });
  });

  it('is a sub-agent of any other', async () => {
    const desk = new Desk();
    const Pipeline = workflow.sequence(desk.agent('a', says('A.')), desk.agent('b', says('B.')));
    @agent({ name: 'top', description: '', subAgents: [Pipeline] })
    class Top extends LoopAgent {
      override until(): boolean {
        return true;
      }
    }

    expect(await (await new Conversation(Top).open()).ask('Go.')).toBe('B.');
  });

  it('has the type of what it answers, through all levels', async () => {
    const model = new Desk().agent('m', says('Text.'), says('{"city":"Oslo"}')).model;
    const text = defineAgent({ name: 'text' });
    const city = class extends LlmAgent<City> {};
    agent({ name: 'city', description: '', outputSchema: schema })(city);

    const last: AgentClass<City> = workflow.sequence(text, city);
    const both: AgentClass<[string | undefined, City | undefined]> = workflow.parallel(text, city);
    const either: AgentClass<string | City> = workflow.fallback(text, city);
    const first: AgentClass<string | City> = workflow.race(text, city, { name: 'first' });
    const chosen: AgentClass<string | City> = workflow.route(
      { when: () => true, agent: text },
      { agent: city },
    );
    const rounds: AgentClass<City> = workflow.loop(text, city, {
      until: ({ output }) => output?.city === 'Oslo',
    });
    const each: AgentClass<(City | undefined)[]> = workflow.map(city, { itemsKey: 'items' });
    // @ts-expect-error -- the last agent answers with a city
    const wrong: AgentClass = workflow.sequence(text, city);
    // @ts-expect-error -- a list in the state is required
    const listless = () => workflow.map(city, {});
    const runner = await createRunner(workflow.sequence(workflow.sequence(text, city)), { model });
    const { city: name } = await runner.run({ message: 'Go.' }).output;

    expect(name).toBe('Oslo');
    expect([last, both, either, first, chosen, rounds, each, wrong, listless]).toHaveLength(9);
  });
});

function declared(Base: abstract new () => BaseAgent<unknown>, options: object): AgentClass<unknown> {
  abstract class Declared extends Base {}
  agent({ name: 'declared', description: '', ...options })(Declared);
  return Declared;
}
