import { callsTool, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import type { AgentToolOptions } from '../backend.js';
import {
  agent,
  type AgentClass,
  agentTool,
  BaseAgent,
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  workflow,
} from '../index.js';
import { gate } from './workflow/workflow.fixture.js';

describe('the result of an agent that is a tool', () => {
  it('is the texts of agents that ran side by side', async () => {
    const both = workflow.parallel(said('a', 'A.'), said('b', 'B.'), { name: 'both' });

    expect(await resultOf(both)).toEqual({ text: 'A.\nB.' });
  });

  it('is the texts of agents that ran side by side, in the last place of a sequence', async () => {
    const both = workflow.sequence(workflow.parallel(said('a', 'A.'), said('b', 'B.')), { name: 'both' });

    expect(await resultOf(both)).toEqual({ text: 'A.\nB.' });
  });

  it('has the errors of agents that ran side by side, also if others have answered', async () => {
    const both = workflow.parallel(said('a', 'A.'), failing('b'), failing('c'), { name: 'both' });

    expect(await resultOf(both)).toEqual({ text: 'A.', error: 'b: no model\nc: no model' });
  });

  it('has the errors of the items of a list', async () => {
    const worker = defineAgent({ name: 'w', model: new ScriptedModel(says('1.'), fails, says('3.')) });
    const list = workflow.map(worker, { itemsKey: 'items', concurrency: 1, name: 'list' });

    expect(await resultOf(list)).toEqual({ text: '1.\n3.', error: 'w: no model' });
  });

  it('is the parsed answer of an agent with an output schema', async () => {
    const schema = { type: 'object', properties: { city: { type: 'string' } } } as const;
    const model = new ScriptedModel(says('{"city":"Oslo"}'));

    expect(await resultOf(defineAgent({ name: 'find', model, outputSchema: schema }))).toEqual({
      city: 'Oslo',
    });
  });

  it.each<[string, ScriptedStep, string]>([
    ['', callsTool('answers', { request: 'Go.' }), 'The answer is 42.'],
    [
      ' with words beside the call',
      {
        content: {
          role: 'model',
          parts: [{ text: 'Let me see.' }, { functionCall: { name: 'answers', args: { request: 'Go.' } } }],
        },
      },
      'Let me see.\nThe answer is 42.',
    ],
  ])('has the answer that skipSummarization takes over%s', async (_what, step, text) => {
    const answers = said('answers', 'The answer is 42.');
    const asks = defineAgent({
      name: 'asks',
      model: new ScriptedModel(step),
      tools: [agentTool(answers, { skipSummarization: true })],
    });

    expect(await resultOf(asks)).toEqual({ text });
  });
});

describe('an option of agentTool that does not exist', () => {
  it('is refused, and the nearest is named', () => {
    const options = { name: 'find', confrim: true } as AgentToolOptions;

    expect(() => agentTool(said('a', 'A.'), options)).toThrow(
      expect.objectContaining({
        code: 'TOOL_CONFIG_INVALID',
        message: expect.stringContaining('Did you mean confirm?') as string,
      }) as Error,
    );
  });
});

describe('skipSummarization of an agent that is a tool', () => {
  it('takes over an answer, not a failure: the model of the caller is told and called again', async () => {
    const tools = [agentTool(failing('fails'), { skipSummarization: true })];
    const model = new ScriptedModel(callsTool('fails', { request: 'Go.' }), says('It is down.'));
    const runner = await createRunner(defineAgent({ name: 'top', model, tools }));

    expect(await runner.ask('Go.')).toBe('It is down.');
    expect(model.requests).toHaveLength(2);
  });
});

describe('the events of an agent that is a tool', () => {
  it('are refused once another run has taken the session', async () => {
    const asked = gate();
    const taken = gate();
    const model = new ScriptedModel(async () => {
      asked.open();
      await taken.opened;
      return says('Too late.');
    });
    const inner = defineAgent({ name: 'inner', description: '', model });
    const outer = new ScriptedModel(callsTool('inner', { request: 'Ask.' }), says('Never.'));
    const runner = await createRunner(defineAgent({ name: 'top', model: outer, tools: [inner] }));
    const key = { appName: runner.appName, userId: 'ada', sessionId: 's1' };

    const failed = expect(runner.run({ ...key, message: 'Go.' })).rejects.toMatchObject({
      code: 'SESSION_TAKEN_OVER',
    });
    await asked.opened;
    const epoch = (await runner.sessions.getSession(key))?.lastRun?.epoch ?? 0;
    await runner.sessions.openRun(key, { id: 'e-2', after: epoch, at: 0 });
    taken.open();
    await failed;

    const stored = (await runner.sessions.getSession(key))?.events ?? [];
    expect(stored.map(({ text }) => text)).toEqual(['Go.', '', 'Ask.']);
  });
});

describe('an agent that is a tool, in a run that is cancelled', () => {
  it('answers its own calls before its caller has an answer', async () => {
    const started = gate();
    const never = gate();
    const wait = new FunctionTool({
      name: 'wait',
      description: '',
      run: async () => {
        started.open();
        await never.opened;
      },
    });
    const inner = defineAgent({ name: 'inner', model: new ScriptedModel(callsTool('wait')), tools: [wait] });

    expect(await answeredAfterCancel(inner, started)).toEqual([
      ['wait', 'unknown'],
      ['inner', 'unknown'],
    ]);
  });

  it('is left behind if it does not end', async () => {
    const started = gate();
    const never = gate();
    @agent({ name: 'inner', description: '' })
    class Inner extends BaseAgent {
      // eslint-disable-next-line require-yield -- it does not come that far
      async *run(): AsyncGenerator<Event, void, undefined> {
        started.open();
        await never.opened;
      }
    }

    expect(await answeredAfterCancel(Inner, started)).toEqual([['inner', 'unknown']]);
    never.open();
  });
});

/** The names of the calls that were answered, with what is known of their outcomes, in a run cancelled in its tool. */
async function answeredAfterCancel(
  tool: AgentClass<unknown>,
  started: ReturnType<typeof gate>,
): Promise<unknown[]> {
  const model = new ScriptedModel(callsTool('inner', { request: 'Go.' }));
  const runner = await createRunner(defineAgent({ name: 'top', model, tools: [tool] }));
  const run = runner.run({ userId: 'ada', message: 'Go.' });
  await started.opened;
  run.cancel();
  const result = await run;
  expect(result.error).toMatchObject({ event: { errorCode: 'CANCELLED' } });
  const { events = [] } = (await runner.sessions.getSession(result)) ?? {};
  return events.flatMap(({ functionResponses }) =>
    functionResponses.map(({ name, response }) => [name, response?.['outcome']]),
  );
}

/** What an agent gives to the agent that calls it as a tool. */
async function resultOf(target: AgentClass<unknown>): Promise<unknown> {
  const name = target.name;
  const tools = [agentTool(target, { name: 'called' })];
  const model = new ScriptedModel(callsTool('called', { request: 'Go.' }, 'c1'), says(`Heard ${name}.`));
  const runner = await createRunner(defineAgent({ name: 'top', model, tools }));
  const { events } = await runner.run({ message: 'Go.', stateDelta: { items: [1, 2, 3] } });
  return events.flatMap(({ functionResponses }) => functionResponses)[0]?.response;
}

function said(name: string, text: string) {
  return defineAgent({ name, description: '', model: new ScriptedModel(says(text)) });
}

function failing(name: string) {
  return defineAgent({ name, description: '', model: new ScriptedModel(fails) });
}

function fails(): never {
  throw new Error('no model');
}
