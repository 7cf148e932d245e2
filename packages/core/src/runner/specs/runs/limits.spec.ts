import { callsTool, callsTools, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import {
  agent,
  createRunner,
  defineAgent,
  Event,
  FunctionTool,
  LlmAgent,
  Model,
  type ModelRequest,
  type ModelResponse,
  type RunConfig,
} from '../../../index.js';
import { address, linesWhereverItDies } from './dying-process.fixture.js';

describe('a run that does not come to an end', () => {
  it('ends after maxLlmCalls, those of the agents it was handed to included', async () => {
    const { events, model } = await run(
      { maxLlmCalls: 3 },
      look,
      callsTool('transfer_to_agent', { agent_name: 'helper' }),
      look,
      says('never'),
    );

    expect(lastOf(events)).toEqual([
      'helper',
      'LLM_CALL_LIMIT',
      'invocation exhausted its budget of model calls',
      true,
    ]);
    expect(model.requests).toHaveLength(3);
  });

  it("ends after the agent's maxIterations", async () => {
    const { events, model } = await run({}, look, look, look, look, says('never'));

    expect(lastOf(events)).toEqual(['clerk', 'MAX_ITERATIONS', 'agent exhausted its iteration budget', true]);
    expect(model.requests).toHaveLength(4);
  });

  it('ends after maxInvalidCalls answers in a row, each of their calls answered', async () => {
    const { events, model } = await run(
      { maxInvalidCalls: 2 },
      callsTools({ name: 'nonesuch' }, { name: 'look', args: { at: 1 } }),
      callsTool('lok'),
    );

    expect(lastOf(events)).toEqual([
      'clerk',
      'INVALID_CALL_LIMIT',
      'the model made as many answers in a row as maxInvalidCalls allows, each with calls of an unknown tool or invalid arguments only',
      true,
    ]);
    expect(events.flatMap(({ functionResponses }) => functionResponses)).toHaveLength(3);
    expect(model.requests).toHaveLength(2);
  });

  it('begins to count invalid calls anew after one that fits', async () => {
    const { events } = await run(
      { maxInvalidCalls: 2 },
      callsTool('lok'),
      look,
      callsTool('lok'),
      says('Done.'),
    );

    expect(events.at(-1)?.text).toBe('Done.');
  });

  it('ends after maxInvalidCalls where it hands over to agents that are not there', async () => {
    const nobody = callsTool('transfer_to_agent', { agent_name: 'nobody' });
    const { events } = await run({ maxInvalidCalls: 2 }, nobody, nobody, says('never'));

    expect(events.at(-1)?.errorCode).toBe('INVALID_CALL_LIMIT');
  });

  it('goes on in the next message', async () => {
    const { runner } = await run({ maxLlmCalls: 1 }, look, says('Here I am.'));

    const events = await eventsOf(runner.run({ ...address, message: 'Hello?' }));

    expect(events.map(({ text }) => text)).toEqual(['Here I am.']);
  });
});

describe('an answer with more calls than maxCallsPerAnswer', () => {
  it('runs and asks about the first ones, and answers the others with the limit', async () => {
    const { runner, model, ran } = await start(
      { maxCallsPerAnswer: 2 },
      calls('read', 'pay', 'pay', 'read'),
      says('Done.'),
    );

    const { pending } = await runner.run({ ...address, message: 'Go.' });

    expect(pending.map(({ functionCallId }) => functionCallId)).toEqual(['c2']);
    const [request] = pending;
    if (request === undefined) throw new Error('nothing is pending');
    expect((await runner.approve(request)).text).toBe('Done.');
    expect(ran).toEqual(['read c1', 'pay c2']);
    expect(responsesIn(model)).toEqual([
      ['c1', { result: 'read' }],
      ['c2', { result: 'pay' }],
      ['c3', { error: overLimit('pay', 4) }],
      ['c4', { error: overLimit('read', 4) }],
    ]);
  });

  it('runs 100 calls by default, and asks nobody about 9,900 others', async () => {
    const names = Array.from({ length: 10_000 }, () => 'pay');
    const { runner } = await start({}, calls(...names));

    const { pending } = await runner.run({ ...address, message: 'Go.' });

    expect(pending).toHaveLength(100);
  });

  it('reads the responses of an event no more often if it has many calls', async () => {
    const readsOf = async (count: number) => {
      const { runner } = await start(
        {},
        calls(...Array.from({ length: count }, () => 'read')),
        says('Done.'),
      );
      const reads = jest.spyOn(Event.prototype, 'functionResponses', 'get');
      await runner.run({ ...address, message: 'Go.' });
      const { length } = reads.mock.calls;
      reads.mockRestore();
      return length;
    };

    expect(await readsOf(90)).toBe(await readsOf(9));
  });

  it('counts as an answer with only invalid calls where it runs none', async () => {
    const config = { maxCallsPerAnswer: 0, maxInvalidCalls: 1 };
    const { runner, ran } = await start(config, calls('read', 'read'), says('never'));

    const events = await eventsOf(runner.run({ ...address, message: 'Go.' }));

    expect([events.at(-1)?.errorCode, ran]).toEqual(['INVALID_CALL_LIMIT', []]);
  });

  it('leads to the same log wherever its process dies', async () => {
    await linesWhereverItDies(async (sessions) => {
      const model = new RepeatingModel(calls('read', 'pay', 'pay', 'read'), says('Done.'));
      const config = { maxCallsPerAnswer: 2, takeOverAfter: 0 };
      return createRunner(asker([], model), { config, modules: [sessions] });
    });
  });
});

/** Answers by the number of its answers so far, in whatever process. */
class RepeatingModel extends Model {
  readonly name = 'repeating';
  private readonly steps: readonly ModelResponse[];

  constructor(...steps: readonly ModelResponse[]) {
    super();
    this.steps = steps;
  }

  override async *generate({ contents }: ModelRequest): AsyncGenerator<ModelResponse> {
    yield this.steps[contents.filter(({ role }) => role === 'model').length] ?? says('Too much.');
    await Promise.resolve();
  }
}

function asker(ran: unknown[], model: Model) {
  const shape = { description: 'Runs.', parameters: { type: 'object' } };
  const tool = (name: string, fields: object) =>
    new FunctionTool({
      ...shape,
      ...fields,
      name,
      run: (_, { functionCallId }) => {
        ran.push(`${name} ${functionCallId}`);
        return name;
      },
    });
  const tools = [tool('read', { effect: 'read' }), tool('pay', { effect: 'read', confirm: true })];
  return defineAgent({ name: 'clerk', tools, model });
}

async function start(config: RunConfig, ...steps: readonly ScriptedStep[]) {
  const model = new ScriptedModel(...steps);
  const ran: unknown[] = [];
  return { model, ran, runner: await createRunner(asker(ran, model), { config }) };
}

function calls(...names: readonly string[]) {
  return callsTools(...names.map((name, index) => ({ name, args: {}, id: `c${String(index + 1)}` })));
}

function responsesIn({ requests }: ScriptedModel) {
  const parts = requests.at(-1)?.contents.flatMap((content) => content.parts ?? []) ?? [];
  return parts.flatMap(({ functionResponse: one }) => (one === undefined ? [] : [[one.id, one.response]]));
}

function overLimit(tool: string, made: number): string {
  return (
    `"${tool}" was not called: the answer has ${String(made)} calls, and at most 2 of one answer run. ` +
    'Make the call again in a later answer, if it is still needed.'
  );
}

const look = callsTool('look');

async function run(config: RunConfig, ...steps: readonly ScriptedStep[]) {
  const tools = [new FunctionTool({ name: 'look', description: '', run: () => 'fine' })];
  @agent({ description: '', tools })
  class Helper extends LlmAgent {}
  @agent({ description: '', tools, subAgents: [Helper], maxIterations: 4 })
  class Clerk extends LlmAgent {}
  const model = new ScriptedModel(...steps);
  const runner = await createRunner(Clerk, { model, config });
  return { runner, model, events: await eventsOf(runner.run({ ...address, message: 'Look.' })) };
}

function lastOf(events: readonly Event[]) {
  const { author, errorCode, errorMessage, turnComplete } = events.at(-1) ?? {};
  return [author, errorCode, errorMessage, turnComplete];
}
