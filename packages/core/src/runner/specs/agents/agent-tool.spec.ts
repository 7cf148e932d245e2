import type { ContainerModule } from 'inversify';

import { callsTool, callsTools, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import {
  agent,
  type AgentClass,
  agentTool,
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  LlmAgent,
  Model,
  type ModelRequest,
  type ModelResponse,
  Plugin,
  type RunConfig,
  type Runner,
  workflow,
  SequentialAgent,
} from '../../../index.js';
import { giveUp } from '../../../agents/workflow/workflow.fixture.js';
import { address, linesWhereverItDies } from '../runs/dying-process.fixture.js';

describe('an agent among the tools of another', () => {
  it('is asked with one text, sees nothing else, and its answer is the result of the call', async () => {
    const { runner, model } = await start(
      asks('translator', 'To Norwegian: open'),
      says('Åpent'),
      says('Done.'),
    );

    const events = await say(runner);

    const [asking, inner, last] = model.requests;
    expect(asking?.config.tools).toMatchObject([
      {
        functionDeclarations: [
          { name: 'translator', description: 'Translates.' },
          { name: 'clerk' },
          { name: 'cashier' },
        ],
      },
    ]);
    expect(inner?.contents).toEqual([{ role: 'user', parts: [{ text: 'To Norwegian: open' }] }]);
    expect(last?.contents).toMatchObject([
      { parts: [{ text: 'Go.' }] },
      { parts: [{ functionCall: { name: 'translator' } }] },
      { parts: [{ functionResponse: { response: { text: 'Åpent' } } }] },
    ]);
    expect(events.map(({ author }) => author)).toEqual(['desk', 'desk', 'desk']);
  });

  it('is in the log, on a branch and under an invocation of its own', async () => {
    const { runner } = await start(asks('translator', 'Hi', 'c1'), says('Hei'), says('Done.'));

    const [first] = await say(runner);

    const inner = (await logOf(runner)).filter(({ isolationScope }) => isolationScope !== undefined);
    const invocationId = `${first?.invocationId ?? ''}.sub.translator`;
    expect(
      inner.map(({ author, text, actions }) => [author, actions.endOfAgent === true ? 'end' : text]),
    ).toEqual([
      ['user', 'Hi'],
      ['translator', 'Hei'],
      ['translator', 'end'],
    ]);
    for (const event of inner) {
      expect(event).toMatchObject({ invocationId, branch: 'c1', nodeInfo: { path: 'desk/translator' } });
    }
  });

  it('is heard by plugins, also where the caller is not shown it', async () => {
    const heard: (string | undefined)[] = [];
    class Listener extends Plugin {
      readonly name = 'listener';

      override onEvent({ nodeInfo }: Event): void {
        heard.push(nodeInfo?.path);
      }
    }
    const model = new ScriptedModel(asks('translator', 'Hi'), says('Hei'), says('Done.'));
    const translator = defineAgent({ name: 'translator', model });
    const desk = defineAgent({ name: 'desk', model, tools: [translator] });
    await using runner = await createRunner(desk, { plugins: [new Listener()] });

    await say(runner);

    expect(new Set(heard)).toEqual(new Set(['desk', 'desk/translator']));
  });

  it('is shown to the caller as it happens, if the caller wants that', async () => {
    const { runner } = await start(asks('translator', 'Hi'), says('Hei'), says('Done.'));

    const run = runner.run({ ...address, message: 'Go.', config: { showToolAgents: true } });

    expect((await eventsOf(run)).map(({ nodeInfo, text }) => [nodeInfo?.path, text])).toEqual([
      ['desk', ''],
      ['desk/translator', 'Hei'],
      ['desk', ''],
      ['desk', 'Done.'],
    ]);
    expect(await run.text).toBe('Done.');
  });

  it.each([true, false])(
    'leaves the result of the run alone, whether it is shown or not (showToolAgents: %s)',
    async (showToolAgents) => {
      const results = [];
      for (const wrap of [
        (desk: AgentClass) => desk,
        (desk: AgentClass) => workflow.sequence(desk, { name: 'top' }),
      ]) {
        const model = new ScriptedModel(asks('translator', 'Hi'), says('Hei'), callsTool('give_up'));
        const translator = defineAgent({ name: 'translator', model });
        const desk = defineAgent({ name: 'desk', model, tools: [translator, giveUp] });
        await using runner = await createRunner(wrap(desk));
        results.push(await runner.run({ ...address, message: 'Go.', config: { showToolAgents } }));
      }

      expect(results).toMatchObject([
        { status: 'answered', text: '' },
        { status: 'answered', text: '' },
      ]);
    },
  );

  it('leaves the result of the run alone, also where it hands over to a workflow of its own', async () => {
    const translate = workflow.sequence(defineAgent({ name: 'draft' }), { name: 'translate' });
    const desk = defineAgent({
      name: 'desk',
      tools: [defineAgent({ name: 'translator', subAgents: [translate] })],
    });
    const model = new ScriptedModel(
      ...[asks('translator', 'Hi'), callsTool('transfer_to_agent', { agent_name: 'translate' })],
      ...[says('Hei'), says('Done.')],
    );
    await using runner = await createRunner(desk, { model });

    expect(await runner.ask('Go.')).toBe('Done.');
  });

  it('runs side by side with another, each in its own conversation', async () => {
    const { runner, model } = await start(
      callsTools(
        { id: 'c1', name: 'translator', args: { request: 'One' } },
        { id: 'c2', name: 'translator', args: { request: 'Two' } },
      ),
      ...[says('En'), says('To'), says('Done.')],
    );

    await say(runner);

    const inner = model.requests.slice(1, 3).map(({ contents }) => JSON.stringify(contents));
    expect(inner[0]).not.toContain('Two');
    expect(inner[1]).not.toContain('One');
    const paths = (await logOf(runner)).map(({ nodeInfo }) => nodeInfo?.path);
    expect(new Set(paths)).toEqual(new Set([undefined, 'desk', 'desk/translator', 'desk/translator@2']));
  });

  it('is asked anew at the next turn, also under a call id that was given before', async () => {
    const { runner, model } = await start(
      ...[asks('translator', 'One', 'c1'), says('En'), says('Done.')],
      ...[asks('translator', 'Two', 'c1'), says('To'), says('Done.')],
    );
    await say(runner);
    await say(runner);

    expect(model.requests[4]?.contents).toEqual([{ role: 'user', parts: [{ text: 'Two' }] }]);
  });

  it('fails as a tool does: the error is told, and the agent above goes on', async () => {
    const { runner, model } = await start(
      asks('translator', 'Hi'),
      { errorCode: 'SAFETY', errorMessage: 'Blocked.' },
      says('I could not.'),
    );

    expect((await say(runner)).at(-1)?.text).toBe('I could not.');
    expect(responsesIn(model.requests.at(-1))).toEqual([{ text: '', error: 'Blocked.' }]);
  });

  it('gives the parsed answer of an output schema, and ends the turn where its answer is the answer', async () => {
    const outputSchema = {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    } as const;
    @agent({ name: 'find', description: '', outputSchema })
    class Find extends LlmAgent<{ city: string }> {}
    @agent({
      name: 'desk',
      description: '',
      tools: [agentTool(Find, { name: 'lookup', skipSummarization: true })],
    })
    class Desk extends LlmAgent {}
    const model = new ScriptedModel(asks('lookup', 'Where?'), says('{"city":"Oslo"}'));
    await using runner = await createRunner(Desk, { model });

    expect((await say(runner)).at(-1)?.functionResponses[0]?.response).toEqual({ city: 'Oslo' });
    expect(model.requests).toHaveLength(2);
  });

  it('asks a person two levels down, and the answer comes back up', async () => {
    const { runner, ran } = await start(
      ...[asks('clerk', 'Refund.'), asks('cashier', 'Pay 5.'), callsTool('pay', { cents: 5 })],
      ...[says('Paid.'), says('Refunded.'), says('All done.')],
    );
    const before = await say(runner);

    expect(ran).toEqual([]);
    const [request, ...others] = await runner.pending(address);
    expect([request?.path, request?.tool, others]).toEqual(['desk/clerk/cashier', 'pay', []]);
    expect(before.flatMap(({ pending }) => pending)).toHaveLength(1);
    const after = await approve(runner);

    expect(ran).toEqual([5]);
    expect(after.at(-1)?.text).toBe('All done.');
    expect(await runner.pending(address)).toEqual([]);
    const texts = (await logOf(runner)).map(({ nodeInfo, text }) => [nodeInfo?.path, text]);
    expect(texts).toContainEqual(['desk/clerk', 'Refunded.']);
  });

  it('waits on, two levels down, while the conversation goes on', async () => {
    const { runner, ran } = await start(
      ...[asks('clerk', 'Refund.'), asks('cashier', 'Pay 5.'), callsTool('pay', { cents: 5 })],
      ...[says('They are asked.'), says('Paid.'), says('Refunded.'), says('All done.')],
    );
    await say(runner);

    const meanwhile = await say(runner);
    const after = await approve(runner);

    expect(meanwhile.map(({ text, functionResponses }) => [text, functionResponses])).toEqual([
      ['They are asked.', []],
    ]);
    expect([ran, after.at(-1)?.text]).toEqual([[5], 'All done.']);
  });

  it('hears a refusal', async () => {
    const { runner, ran, model } = await start(
      ...[asks('cashier', 'Pay 5.'), callsTool('pay', { cents: 5 })],
      ...[says('Refused, sorry.'), says('They said no.')],
    );
    await say(runner);
    const [request] = await runner.pending(address);

    const events = request === undefined ? [] : await eventsOf(runner.reject(request));

    expect([ran, events.at(-1)?.text]).toEqual([[], 'They said no.']);
    expect(responsesIn(model.requests.at(-1))).toEqual([{ text: 'Refused, sorry.' }]);
  });

  it('is declared with its one parameter, and with another description where that is given', async () => {
    @agent({ name: 'desk', description: '', tools: [agentTool(Finder, { description: 'Finds places.' })] })
    class Desk extends LlmAgent {}
    const model = new ScriptedModel(says('Done.'));
    await using runner = await createRunner(Desk, { model });
    await say(runner);

    const request = { type: 'string', description: 'What the agent is asked to do.' };
    expect(model.requests[0]?.config.tools).toEqual([
      {
        functionDeclarations: [
          {
            name: 'finder',
            description: 'Finds places.',
            parametersJsonSchema: {
              type: 'object',
              properties: { request },
              required: ['request'],
              additionalProperties: false,
            },
          },
        ],
      },
    ]);
  });

  it('gives all that it said, also what it said beside its calls', async () => {
    const { runner, model } = await start(
      asks('cashier', 'Pay.'),
      {
        content: {
          role: 'model',
          parts: [{ text: 'I look.' }, { functionCall: { name: 'nothing', args: {} } }],
        },
      },
      ...[says('There is nothing.'), says('Done.')],
    );

    await say(runner);

    expect(responsesIn(model.requests.at(-1))).toEqual([{ text: 'I look.\nThere is nothing.' }]);
  });

  it('writes the state that the agent above it reads', async () => {
    @agent({ name: 'find', description: '', outputKey: 'place' })
    class Find extends LlmAgent {}
    @agent({ name: 'desk', description: '', instruction: 'Place: {place?}', tools: [Find] })
    class Desk extends LlmAgent {}
    const model = new ScriptedModel(asks('find', 'Where?'), says('Oslo'), says('Done.'));
    await using runner = await createRunner(Desk, { model });
    await say(runner);

    expect(JSON.stringify(model.requests[2]?.config.systemInstruction)).toContain('Place: Oslo');
  });

  it('that is cancelled while it waits has no open request left, and takes no answer', async () => {
    const slow = new FunctionTool({
      name: 'slow',
      description: '',
      run: async (_args, { signal }) => await new Promise((_, reject) => (signal.onabort = reject)),
    });
    const ran: string[] = [];
    const pay = new FunctionTool({ name: 'pay', description: '', confirm: true, run: () => ran.push('pay') });
    const cashier = defineAgent({
      name: 'cashier',
      description: '',
      tools: [pay, slow],
      model: new ScriptedModel(callsTools({ name: 'pay' }, { name: 'slow' })),
    });
    const clerk = defineAgent({
      name: 'clerk',
      description: '',
      tools: [cashier],
      model: new ScriptedModel(asks('cashier', 'Pay.')),
    });
    const model = new ScriptedModel(asks('clerk', 'Pay.'));
    const runner = await createRunner(defineAgent({ name: 'desk', description: '', tools: [clerk], model }));
    const run = runner.run({ ...address, message: 'Go.' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    runner.cancel(run.invocationId);
    const events = await eventsOf(run);
    const requests = (await logOf(runner)).flatMap(({ pending }) => pending);

    expect(events.at(-1)?.errorCode).toBe('CANCELLED');
    expect(await runner.pending(address)).toEqual([]);
    for (const request of requests) {
      const answer = runner.approve({
        ...request,
        ...address,
        appName: 'desk',
        invocationId: run.invocationId,
      });
      await expect(eventsOf(answer)).rejects.toMatchObject({ code: 'REQUEST_NOT_PENDING' });
    }
    expect([requests.length, ran]).toEqual([1, []]);
  });

  it('is cancelled with the run', async () => {
    const { runner, model } = await start(asks('translator', 'Hi'), says('Hei'), says('Never asked.'));
    const run = runner.run({ ...address, message: 'Go.', config: { showToolAgents: true } });

    const events: Event[] = [];
    for await (const event of run) {
      events.push(event);
      if (event.author === 'translator') runner.cancel(run.invocationId);
    }

    expect(events.at(-1)?.errorCode).toBe('CANCELLED');
    expect(model.requests).toHaveLength(2);
  });

  it('may be a composite, and goes on in the step that asked', async () => {
    const ran: unknown[] = [];
    const pay = new FunctionTool({ name: 'pay', description: '', confirm: true, run: () => ran.push(1) });
    @agent({ name: 'first', description: '' })
    class First extends LlmAgent {}
    @agent({ name: 'second', description: '', tools: [pay] })
    class Second extends LlmAgent {}
    @agent({ name: 'steps', description: '', subAgents: [First, Second] })
    class Steps extends SequentialAgent {}
    @agent({ name: 'desk', description: '', tools: [Steps] })
    class Desk extends LlmAgent {}
    const model = new ScriptedModel(
      ...[asks('steps', 'Go.'), says('One.'), callsTool('pay')],
      ...[says('Two.'), says('Done.')],
    );
    await using runner = await createRunner(Desk, { model });
    await say(runner);

    expect((await runner.pending(address)).map(({ path }) => path)).toEqual(['desk/steps/second']);
    expect((await approve(runner)).at(-1)?.text).toBe('Done.');
    expect([ran, responsesIn(model.requests.at(-1))]).toEqual([[1], [{ text: 'Two.' }]]);
  });

  it('shares the budget of model calls', async () => {
    const { runner } = await start({ maxLlmCalls: 1 }, asks('translator', 'Hi'), says('Hei'));

    const events = await say(runner);

    expect(events.at(-1)?.errorCode).toBe('LLM_CALL_LIMIT');
  });

  it('asks before it runs, where its tool has to be confirmed', async () => {
    @agent({ name: 'find', description: '' })
    class Find extends LlmAgent {}
    @agent({ name: 'desk', description: '', tools: [agentTool(Find, { confirm: 'Ask the finder?' })] })
    class Desk extends LlmAgent {}
    const model = new ScriptedModel(asks('find', 'Where?'), says('There.'), says('Done.'));
    await using runner = await createRunner(Desk, { model });
    await say(runner);

    expect((await runner.pending(address)).map(({ hint }) => hint)).toEqual(['Ask the finder?']);
    expect(model.requests).toHaveLength(1);
    expect((await approve(runner)).at(-1)?.text).toBe('Done.');
  });

  it('writes the same log wherever its process dies', async () => {
    const lines = await linesWhereverItDies(async (sessions) => {
      const { runner } = await startWith(new Script(), { takeOverAfter: 0 }, sessions);
      return runner;
    });

    expect(lines).toContain('desk/clerk/cashier: response pay');
  });

  it.each<[string, () => unknown, object]>([
    ['twice under one name', () => [Finder, agentTool(Finder)], { code: 'TOOL_NAME_TAKEN' }],
    ['of what is no agent', () => [agentTool(Date as never)], { code: 'NOT_A_TOOL' }],
    ['that has its owner as a tool', () => [Circle], { code: 'AGENT_CONFIG_INVALID' }],
  ])('is refused %s', async (_what, tools, error) => {
    @agent({ name: 'desk', description: '', tools: tools() as [] })
    class Desk extends LlmAgent {}
    await expect(createRunner(Desk, { model: new ScriptedModel() })).rejects.toMatchObject(error);
  });

  it('is refused beside itself as a sub-agent', async () => {
    @agent({ name: 'desk', description: '', tools: [Finder], subAgents: [Finder] })
    class Desk extends LlmAgent {}
    await expect(createRunner(Desk, { model: new ScriptedModel() })).rejects.toMatchObject({
      code: 'AGENT_CONFIG_INVALID',
    });
  });
});

@agent({ name: 'finder', description: '' })
class Finder extends LlmAgent {}

class Circle extends LlmAgent {}
agent({ name: 'circle', description: '', tools: [Circle] })(Circle);

function asks(name: string, request: string, id?: string): ScriptedStep {
  return callsTool(name, { request }, id);
}

function responsesIn(request: Pick<ModelRequest, 'contents'> | undefined): unknown[] {
  return (request?.contents ?? []).flatMap(({ parts = [] }) =>
    parts.flatMap(({ functionResponse }) => functionResponse?.response ?? []),
  );
}

async function start(...given: readonly (ScriptedStep | RunConfig)[]) {
  const config = given.find((one): one is RunConfig => 'maxLlmCalls' in one) ?? {};
  const model = new ScriptedModel(...given.filter((one): one is ScriptedStep => one !== config));
  return { model, ...(await startWith(model, config)) };
}

/** A desk with a translator and a clerk as tools, of which the clerk has a cashier as a tool. */
async function startWith(model: Model, config: RunConfig, ...modules: readonly ContainerModule[]) {
  const ran: unknown[] = [];
  const pay = new FunctionTool({
    name: 'pay',
    description: '',
    confirm: true,
    idempotent: true,
    parameters: { type: 'object', properties: { cents: { type: 'number' } } },
    run: ({ cents }) => ran.push(cents),
  });
  @agent({ name: 'cashier', description: '', tools: [pay] })
  class Cashier extends LlmAgent {}
  @agent({ name: 'clerk', description: '', tools: [Cashier] })
  class Clerk extends LlmAgent {}
  @agent({ name: 'translator', description: 'Translates.' })
  class Translator extends LlmAgent {}
  @agent({ name: 'desk', description: '', tools: [Translator, Clerk, agentTool(Cashier)] })
  class Desk extends LlmAgent {}
  return { ran, runner: await createRunner(Desk, { model, modules, config }) };
}

/** The same answers whichever process asks. */
class Script extends Model {
  readonly name = 'script';

  async *generate({ contents, config }: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    await Promise.resolve();
    const instruction = JSON.stringify(config.systemInstruction).replaceAll('\\', '');
    const who = /Your name is "(\w+)"/.exec(instruction)?.[1] ?? '';
    const isAnswered = contents.at(-1)?.parts?.some(({ functionResponse }) => functionResponse) === true;
    const below = { desk: asks('clerk', 'Refund.'), clerk: asks('cashier', 'Pay.') }[who];
    yield (isAnswered ? says(`${who} is done.`) : (below ?? callsTool('pay', { cents: 5 }))) as ModelResponse;
  }
}

function say(runner: Runner): Promise<Event[]> {
  return eventsOf(runner.run({ ...address, message: 'Go.' }));
}

async function approve(runner: Runner): Promise<Event[]> {
  const [request] = await runner.pending(address);
  if (request === undefined) throw new Error('Nothing is pending.');
  return eventsOf(runner.approve(request));
}

async function logOf(runner: Runner): Promise<readonly Event[]> {
  return (await runner.sessions.getSession({ appName: 'desk', ...address }))?.events ?? [];
}
