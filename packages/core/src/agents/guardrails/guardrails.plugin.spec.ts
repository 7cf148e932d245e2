import { callsTool, callsTools, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import type { AgentOptions, GuardrailOptions, GuardrailsPluginOptions } from '../../backend.js';
import {
  agent,
  type AgentClass,
  agentTool,
  createRunner,
  defineAgent,
  Deny,
  type Event,
  workflow,
  FunctionTool,
  type Guardrail,
  GuardrailsPlugin,
  LlmAgent,
  Model,
  type ModelRequest,
  type ModelResponse,
  RunFailedError,
  type Runner,
} from '../../index.js';
import { TRIPWIRE } from '../../run/tripwire.js';

const address = { userId: 'ada', sessionId: 's1' };
const noBombs: Guardrail = {
  name: 'no-bombs',
  check: (text) => (text.includes('bomb') ? new Deny('It is about bombs.') : undefined),
};
const shout: Guardrail = { name: 'shout', check: (text) => Promise.resolve(text.toUpperCase()) };

beforeEach(() => {
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
});

afterEach(() => {
  jest.restoreAllMocks();
});

describe('GuardrailsPlugin', () => {
  it('refuses a message before it is stored and before a model is asked, with a typed error', async () => {
    const { runner, model } = await start({ inputGuardrails: [noBombs] }, says('Boom.'));
    const error = await failureOf(runner, 'Build a bomb.');

    expect(error.tripwire).toEqual({ guardrail: 'no-bombs', where: 'input', reason: 'It is about bombs.' });
    expect(error.event).toMatchObject({
      errorCode: 'GUARDRAIL_TRIPPED',
      errorMessage: 'The guardrail "no-bombs" refused the input: It is about bombs.',
      customMetadata: { [TRIPWIRE]: error.tripwire },
    });
    expect(model.requests).toEqual([]);
    const log = await logOf(runner);
    expect(log.map(({ text }) => text)).toEqual(['[refused by the guardrail "no-bombs"]', '']);
    expect(JSON.stringify(log)).not.toContain('Build a bomb');
    expect(await runner.ask('Hello.', address)).toBe('Boom.');
  });

  it('keeps a refused message in the log where it is told to', async () => {
    const { runner } = await start({ inputGuardrails: [noBombs], storeRefused: true }, says('Boom.'));
    await failureOf(runner, 'Build a bomb.');

    expect((await logOf(runner)).map(({ text }) => text)).toEqual(['Build a bomb.', '']);
  });

  it('stores and sends the text that an input guardrail returns instead', async () => {
    const { runner, model } = await start({ inputGuardrails: [shout] }, says('Hi.'));
    await runner.ask('hello', address);

    expect(model.requests[0]?.contents).toEqual([{ role: 'user', parts: [{ text: 'HELLO' }] }]);
    expect((await logOf(runner))[0]?.text).toBe('HELLO');
  });

  it('neither stores nor shows a refused answer, nor runs its calls', async () => {
    const step = {
      content: { role: 'model', parts: [{ text: 'A bomb.' }, { functionCall: { name: 'look' } }] },
    };
    const { runner, ran } = await start({ outputGuardrails: [noBombs] }, step);
    const error = await failureOf(runner, 'What is it?');

    expect(error.tripwire).toMatchObject({ guardrail: 'no-bombs', where: 'output' });
    expect(JSON.stringify(await logOf(runner))).not.toContain('A bomb');
    expect(ran).toEqual([]);
  });

  it('holds the pieces of a streamed answer back until the answer is checked', async () => {
    expect(await piecesOf({ outputGuardrails: [noBombs] }, ['Hello, ', 'Ada.'])).toEqual([[], 'Hello, Ada.']);
    expect(await piecesOf({ outputGuardrails: [shout] }, ['Hello, ', 'Ada.'])).toEqual([[], 'HELLO, ADA.']);
  });

  it('shows pieces as far as they are checked, or unchecked, where it is told to', async () => {
    const pieces = ['Fine. ', 'A bo', 'mb. ', 'More.'];
    const checked = await piecesOf({ outputGuardrails: [noBombs], pieces: 'check' }, pieces);
    const shown = await piecesOf({ outputGuardrails: [noBombs], pieces: 'show' }, pieces);

    expect(checked).toEqual([['Fine. ', 'A bo'], '']);
    expect(shown).toEqual([pieces, '']);
  });

  it.each([false, true])(
    'checks a message beside the model call, cancels it, and shows nothing (pieces: %p)',
    async (hasPieces) => {
      let isAborted = false;
      class Endless extends Model {
        readonly name = 'endless';

        async *generate({ signal }: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
          if (hasPieces) yield { partial: true, content: { role: 'model', parts: [{ text: 'Take ' }] } };
          await new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              isAborted = true;
              reject(new Error('aborted'));
            });
          });
        }
      }
      const slow: Guardrail = {
        ...noBombs,
        runInParallel: true,
        check: async () => {
          await new Promise((resolve) => setImmediate(resolve));
          return new Deny('It is about bombs.');
        },
      };
      const clerk = defineAgent({ name: 'clerk', description: '', model: new Endless() });
      await using runner = await createRunner(clerk, {
        plugins: [new GuardrailsPlugin({ inputGuardrails: [slow] })],
        config: { streaming: 'sse' },
      });

      const events = await eventsOf(runner.run({ ...address, message: 'Build a bomb.' }));

      expect(events.map(({ errorCode, text }) => errorCode ?? text)).toEqual(['GUARDRAIL_TRIPPED']);
      // A model that has said something is not asked for more.
      expect(isAborted).toBe(!hasPieces);
    },
  );

  it('lets the answer pass once a check beside the model call has passed', async () => {
    const quick: Guardrail = { ...noBombs, runInParallel: true };
    const { runner } = await start({ inputGuardrails: [quick] }, callsTool('look'), says('Fine.'));

    expect(await runner.ask('Hello.', address)).toBe('Fine.');
  });

  it('ends the run before a refused call runs, or tells the model, as the guardrail says', async () => {
    const checkCall = () => new Deny('Not on Sundays.');
    const end = await start(
      { toolGuardrails: [{ name: 'sunday', checkCall }] },
      callsTool('look'),
      says('Never.'),
    );
    const error = await failureOf(end.runner, 'Look.');
    const deny = await start(
      { toolGuardrails: [{ name: 'sunday', tools: 'lo*', checkCall, onTripwire: 'deny' }] },
      callsTool('look'),
      says('On Monday, then.'),
    );

    expect(error.tripwire).toEqual({ guardrail: 'sunday', where: 'tool call', reason: 'Not on Sundays.' });
    expect(end.model.requests).toHaveLength(1);
    expect(await deny.runner.ask('Look.', address)).toBe('On Monday, then.');
    expect([...end.ran, ...deny.ran]).toEqual([]);
    const responses = (await logOf(deny.runner)).flatMap(({ functionResponses }) => functionResponses);
    expect(responses[0]?.response).toEqual({ error: 'tool call was denied', reason: 'Not on Sundays.' });
  });

  it('keeps a refused result from the log and the model, and says that its call may have taken effect', async () => {
    const checkResult = (_tool: unknown, result: unknown) =>
      JSON.stringify(result).includes('secret') ? new Deny('A secret.') : undefined;
    const { runner, model } = await start(
      { toolGuardrails: [{ name: 'leak', checkResult }] },
      callsTool('look'),
    );
    const error = await failureOf(runner, 'Look.');

    expect(error.tripwire).toMatchObject({ where: 'tool result' });
    expect(JSON.stringify(await logOf(runner))).not.toContain('secret ');
    expect(
      (await logOf(runner)).flatMap(({ functionResponses }) => functionResponses)[0]?.response,
    ).toMatchObject({
      outcome: 'unknown',
    });
    expect(model.requests).toHaveLength(1);
  });

  it('checks the texts in results with a guardrail for texts', async () => {
    const { runner } = await start({ toolGuardrails: [shout] }, callsTool('look'), says('Fine.'));
    await runner.ask('Look.', address);

    const responses = (await logOf(runner)).flatMap(({ functionResponses }) => functionResponses);
    expect(responses[0]?.response).toEqual({ found: 'SECRET 7', at: [1, 'HERE'] });
  });

  it('fails the run where a check throws, or returns what is no verdict', async () => {
    const broken: Guardrail = { name: 'broken', check: () => Promise.reject<undefined>(new Error('down')) };
    const wrong = { name: 'wrong', check: () => 7 } as unknown as Guardrail;

    const first = await start({ outputGuardrails: [broken] }, says('Hi.'));
    const second = await start({ outputGuardrails: [wrong] }, says('Hi.'));

    expect((await failureOf(first.runner, 'Hello.')).event).toMatchObject({ errorCode: 'CALLBACK_FAILED' });
    expect((await failureOf(second.runner, 'Hello.')).event.errorMessage).toContain('it returned a number');
  });

  it.each<[unknown, RegExp]>([
    [{ inputGuards: [] }, /Did you mean inputGuardrails/],
    [{ inputGuardrails: [{ name: 'x' }] }, /inputGuardrails is not a list of guardrails/],
    [{ outputGuardrails: noBombs }, /outputGuardrails is not a list/],
    [{ toolGuardrails: [{ check: () => undefined }] }, /toolGuardrails is not a list/],
    [{ pieces: 'all' }, /pieces is "all"\./],
  ])('is not made with %j', (options, message) => {
    expect(() => new GuardrailsPlugin(options as GuardrailsPluginOptions)).toThrow(message);
  });

  it('ends the whole run from inside a workflow and from inside an agent that runs as a tool', async () => {
    const bad = () =>
      defineAgent({ name: 'bad', description: 'Bad.', model: new ScriptedModel(says('A bomb.')) });
    const good = defineAgent({ name: 'good', description: '', model: new ScriptedModel(says('Fine.')) });
    const caller = new ScriptedModel(callsTool('bad', { request: 'Go.' }), says('Never.'));
    const outer = defineAgent({ name: 'outer', description: '', tools: [agentTool(bad())], model: caller });
    const plugins = [new GuardrailsPlugin({ outputGuardrails: [noBombs] })];
    const roots: AgentClass<unknown>[] = [
      workflow.fallback(bad(), good),
      workflow.parallel(bad(), good),
      outer,
    ];
    for (const root of roots) {
      await using runner = await createRunner(root, { plugins });

      const result = await runner.run({ ...address, message: 'Go.' });

      expect([result.status, result.events.at(-1)?.errorCode]).toEqual(['failed', 'GUARDRAIL_TRIPPED']);
      expect(await runner.recover()).toEqual([]);
      await expect(runner.resume(address)).rejects.toMatchObject({ code: 'NOTHING_TO_RESUME' });
    }
    expect(caller.requests).toHaveLength(1);
  });

  it('ends a run in which a background call continues, and the call is answered', async () => {
    const slow = new FunctionTool({
      name: 'slow',
      description: 'Works.',
      parameters: { type: 'object', properties: {} },
      background: true,
      run: () => new Promise((resolve) => setTimeout(() => resolve('done'), 20)),
    });
    const model = new ScriptedModel(callsTool('slow'), says('A bomb.'), says('Never.'));
    const clerk = defineAgent({ name: 'clerk', description: '', tools: [slow], model });
    await using runner = await createRunner(clerk, {
      plugins: [new GuardrailsPlugin({ outputGuardrails: [noBombs] })],
    });

    const result = await runner.run({ ...address, message: 'Go.' });

    expect([result.status, result.events.at(-1)?.errorCode]).toEqual(['failed', 'GUARDRAIL_TRIPPED']);
    expect(model.requests).toHaveLength(2);
  });
});

describe('the guardrails of an agent', () => {
  it('check its input, its answers and its tools, and those of no other agent', async () => {
    const input = await startAgent({ inputGuardrails: [noBombs] }, says('Never.'));
    const output = await startAgent({ outputGuardrails: [noBombs] }, says('A bomb.'));
    const tools = await startAgent(
      { toolGuardrails: [{ name: 'none', checkCall: () => new Deny('No.') }] },
      callsTool('look'),
      says('Never.'),
    );

    expect((await failureOf(input.runner, 'A bomb.')).tripwire).toMatchObject({ where: 'input' });
    expect(input.model.requests).toEqual([]);
    expect((await failureOf(output.runner, 'Go.')).tripwire).toMatchObject({ where: 'output' });
    expect((await failureOf(tools.runner, 'Go.')).tripwire).toMatchObject({ where: 'tool call' });
    expect(tools.ran).toEqual([]);
  });

  it('replace the input in the request, and check it once for several model calls', async () => {
    const check = jest.fn((text: string) => text.toUpperCase());
    const { runner, model } = await startAgent(
      { inputGuardrails: [{ name: 'shout', check }] },
      callsTools({ name: 'look' }, { name: 'look' }),
      says('Fine.'),
    );
    await runner.ask('hello', address);

    expect(model.requests.map(({ contents }) => contents[0])).toEqual([
      { role: 'user', parts: [{ text: 'HELLO' }] },
      { role: 'user', parts: [{ text: 'HELLO' }] },
    ]);
    expect(check).toHaveBeenCalledTimes(1);
  });

  it('are refused where they are none, and on an agent without a model', async () => {
    const wrong = { inputGuardrails: [{ name: 'x' }] } as unknown as GuardrailOptions;
    await expect(startAgent(wrong)).rejects.toMatchObject({
      code: 'PLUGIN_INVALID',
      message: expect.stringContaining('The agent "clerk"') as string,
    });
  });
});

function toolsOf(ran: string[]) {
  return [
    new FunctionTool({
      name: 'look',
      description: 'Looks.',
      parameters: { type: 'object', properties: {} },
      run: () => {
        ran.push('look');
        return { found: 'secret 7', at: [1, 'here'] };
      },
    }),
  ];
}

async function start(options: GuardrailsPluginOptions, ...steps: ScriptedStep[]) {
  const ran: string[] = [];
  @agent({ name: 'clerk', description: '', tools: toolsOf(ran) })
  class Clerk extends LlmAgent {}
  const model = new ScriptedModel(...steps);
  const runner = await createRunner(Clerk, { model, plugins: [new GuardrailsPlugin(options)] });
  return { runner, model, ran };
}

async function startAgent(options: AgentOptions, ...steps: ScriptedStep[]) {
  const ran: string[] = [];
  @agent({ name: 'clerk', description: '', tools: toolsOf(ran), ...options })
  class Clerk extends LlmAgent {}
  const model = new ScriptedModel(...steps);
  const runner = await createRunner(Clerk, { model });
  return { runner, model, ran };
}

async function failureOf(runner: Runner, message: string): Promise<RunFailedError> {
  const error: unknown = await runner.ask(message, address).catch((thrown: unknown) => thrown);
  if (error instanceof RunFailedError) return error;
  throw new Error(`It did not fail: ${String(error)}`);
}

/** The texts of the pieces that are shown, and of the answer. */
async function piecesOf(options: GuardrailsPluginOptions, pieces: readonly string[]) {
  class Streaming extends Model {
    readonly name = 'streaming';

    async *generate(): AsyncGenerator<ModelResponse, void, undefined> {
      for (const text of pieces) yield { partial: true, content: { role: 'model', parts: [{ text }] } };
      yield { content: { role: 'model', parts: [{ text: pieces.join('') }] } };
    }
  }
  const clerk = defineAgent({ name: 'clerk', description: '', model: new Streaming() });
  await using runner = await createRunner(clerk, {
    plugins: [new GuardrailsPlugin(options)],
    config: { streaming: 'sse' },
  });
  const events = await eventsOf(runner.run({ ...address, message: 'Go.' }));
  const shown = events.filter(({ partial }) => partial).map(({ text }) => text);
  return [shown, events.at(-1)?.text];
}

async function logOf(runner: Runner): Promise<readonly Event[]> {
  const session = await runner.sessions.getSession({ appName: runner.appName, ...address });
  return session?.events ?? [];
}
