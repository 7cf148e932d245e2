import { z } from 'zod';

import { callsTool, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import type { DefinedAgentOptions } from '../backend.js';
import {
  agent,
  agentTool,
  createRunner,
  defineAgent,
  Deny,
  FunctionTool,
  type Guardrail,
  GuardrailsPlugin,
  LlmAgent,
  Model,
  type ModelRequest,
  type ModelResponse,
  type RunConfig,
  type RunResult,
} from '../index.js';
import { linesWhereverItDies } from '../runner/specs/runs/dying-process.fixture.js';

const outputSchema = {
  type: 'object',
  properties: { total: { type: 'number' } },
  required: ['total'],
  additionalProperties: false,
};
const USED = { usageMetadata: { promptTokenCount: 40, candidatesTokenCount: 2, totalTokenCount: 42 } };
const FITTING = says('{"total":7}');
const UNFIT = says('{"total":"seven"}');
const BOMB = says('A bomb.');
const noBombs: Guardrail = {
  name: 'no-bombs',
  onTripwire: 'deny',
  check: (text) => (text.includes('bomb') ? new Deny('It is about bombs.') : undefined),
};

/** Answers that are not the output, and what the model is told of each. */
const UNFITS: readonly (readonly [string, string, string])[] = [
  ['a text', 'Seven.', 'The answer is not JSON; it was: Seven.'],
  ['JSON that breaks off', '{"total":', 'is not JSON'],
  ['a value of another type', '{"total":"seven"}', 'total must be number, not "seven"'],
  ['a property too few', '{}', 'total is required and missing'],
  ['a property too many', '{"total":7,"totl":1}', 'totl is not a property'],
  ['a list', '[7]', 'the answer must be object'],
  ['null', 'null', 'the answer must be object, not null'],
];

/** Each way in which an answer cannot be used although it could be read: the agent, the answer, the code, and one that can. */
const WAYS: readonly (readonly [string, AgentOptions, ModelResponse, string, ModelResponse])[] = [
  ['that does not fit', { outputSchema }, UNFIT, 'OUTPUT_INVALID', FITTING],
  ['that a guardrail denies', { outputGuardrails: [noBombs] }, BOMB, 'GUARDRAIL_TRIPPED', says('A cake.')],
];

beforeEach(() => {
  jest.spyOn(console, 'warn').mockReturnValue();
});

afterEach(() => {
  jest.restoreAllMocks();
});

describe('an answer that does not fit its outputSchema', () => {
  it.each(UNFITS)('is asked for once more, and the model is told why: %s', async (_what, text, told) => {
    const { result, model } = await run({ outputSchema, outputKey: 'sum' }, [says(text), FITTING]);

    expect(result).toMatchObject({ status: 'answered', output: { total: 7 }, text: '{"total":7}' });
    expect(JSON.stringify(model.requests[1]?.contents.at(-1))).toContain(JSON.stringify(told).slice(1, -1));
    expect(result.events.map(({ actions }) => actions.stateDelta)).toEqual([{}, { sum: { total: 7 } }]);
  });

  it('says what the library of the schema says', async () => {
    const City = z.object({ city: z.string().refine((city) => city !== 'Atlantis', 'It is lost') });
    const { result, model } = await run({ outputSchema: City }, [
      says('{"city":"Atlantis"}'),
      says('{"city":"Oslo"}'),
    ]);

    expect(result.output).toEqual({ city: 'Oslo' });
    expect(JSON.stringify(model.requests[1]?.contents)).toContain('city: It is lost');
  });

  it('is the answer if the next one does not fit either, and the output says why not', async () => {
    const { result, model } = await run({ outputSchema }, [says('Six.'), UNFIT]);

    expect(result).toMatchObject({ status: 'failed', text: '{"total":"seven"}', output: undefined });
    expect(result.error).toMatchObject({
      code: 'OUTPUT_INVALID',
      message: expect.stringContaining('does not fit the schema: total must be number') as string,
    });
    expect(model.requests).toHaveLength(2);
  });

  it('is not asked for again where a callback has spoilt it, and is where the callback only saw it', async () => {
    @agent({ name: 'spoilt', outputSchema })
    class Spoilt extends LlmAgent {
      override afterModel(response: ModelResponse): ModelResponse {
        return { ...response, content: { role: 'model', parts: [{ text: 'Redacted.' }] } };
      }
    }
    @agent({ name: 'seen', outputSchema })
    class Seen extends LlmAgent {
      override afterModel(response: ModelResponse): ModelResponse {
        return { ...response };
      }
    }
    for (const [Agent, answer, asked] of [
      [Spoilt, FITTING, 1],
      [Spoilt, UNFIT, 2],
      [Seen, UNFIT, 2],
    ] as const) {
      const model = new ScriptedModel(answer, ...(asked === 2 ? [FITTING] : []));
      await using runner = await createRunner(Agent, { model });
      await runner.run({ message: 'Sum?' });

      expect(model.requests).toHaveLength(asked);
    }
  });

  it('is that of a callback in place of the model, which is not asked', async () => {
    @agent({ name: 'clerk', outputSchema })
    class Clerk extends LlmAgent {
      override beforeModel(): ModelResponse {
        return { content: { role: 'model', parts: [{ text: 'Seven.' }] } };
      }
    }
    const model = new ScriptedModel();
    await using runner = await createRunner(Clerk, { model });

    expect(await runner.run({ message: 'Sum?' })).toMatchObject({ status: 'failed', text: 'Seven.' });
  });

  it('is not a text beside calls, nor an answer that waits for a background call', async () => {
    const look = new FunctionTool({ name: 'look', description: 'Looks.', run: () => 'seen' });
    const content = {
      role: 'model',
      parts: [{ text: 'Let me look.' }, { functionCall: { name: 'look', args: {} } }],
    };
    const { result } = await run({ outputSchema, tools: [look] }, [{ content }, FITTING]);

    expect(result.output).toEqual({ total: 7 });
  });

  it('is asked for again of an agent that runs as a tool', async () => {
    const Sum = defineAgent({ name: 'sum', description: 'Sums.', outputSchema });
    const { result, model } = await run({ tools: [agentTool(Sum)] }, [
      callsTool('sum', { request: 'All.' }),
      UNFIT,
      FITTING,
      says('It is seven.'),
    ]);

    expect(result.text).toBe('It is seven.');
    expect(model.requests).toHaveLength(4);
  });
});

describe('an answer that a guardrail denies', () => {
  it('is asked for once more with the reason, and neither stored nor shown', async () => {
    for (const plugin of [false, true]) {
      const options = { outputGuardrails: [noBombs] };
      const { result, model } = await run(
        plugin ? {} : options,
        [BOMB, says('A cake.')],
        plugin ? [new GuardrailsPlugin(options)] : [],
      );

      expect(result).toMatchObject({ status: 'answered', text: 'A cake.' });
      expect(JSON.stringify(result.events)).not.toContain('A bomb');
      expect(JSON.stringify(model.requests[1]?.contents)).toContain('It is about bombs.');
    }
  });

  it('ends the run if the next answer is denied, too, and says by which guardrail', async () => {
    const { result } = await run({ outputGuardrails: [noBombs] }, [BOMB, BOMB]);

    expect(result.status).toBe('failed');
    expect(result.error).toMatchObject({
      code: 'RUN_FAILED',
      tripwire: { guardrail: 'no-bombs', where: 'output', reason: 'It is about bombs.' },
    });
  });

  it('runs none of its calls', async () => {
    const ran: unknown[] = [];
    const look = new FunctionTool({ name: 'look', description: 'Looks.', run: () => ran.push('look') });
    const content = { role: 'model', parts: [{ text: 'A bomb.' }, { functionCall: { name: 'look' } }] };
    const options = { outputGuardrails: [noBombs], tools: [look] };
    const { result } = await run(options, [{ content }, says('A cake.')]);

    expect([result.text, ran]).toEqual(['A cake.', []]);
  });

  it('ends the run where the guardrail does not say deny, or checks what comes in', async () => {
    const { onTripwire: _deny, ...ends } = noBombs;
    const answered = await run({ outputGuardrails: [ends] }, [BOMB]);
    const asked = await run({ inputGuardrails: [noBombs] }, [], [], 'A bomb?');

    expect([answered.result.status, asked.result.status]).toEqual(['failed', 'failed']);
    expect([answered.model.requests.length, asked.model.requests.length]).toEqual([1, 0]);
  });

  it('is denied from a guardrail with a word that is none', async () => {
    const guardrail = { ...noBombs, onTripwire: 'retry' as 'deny' };

    await expect(run({ outputGuardrails: [guardrail] }, [])).rejects.toThrow("onTripwire is 'end' or 'deny'");
  });
});

/** Has no answers with a schema beside tools: an agent with both answers by a call of `set_model_response`. */
class Unable extends ScriptedModel {
  override get supportsSchemaBesideTools(): boolean {
    return false;
  }
}

describe.each([
  [
    'an object',
    { type: 'object', properties: { title: { type: 'string' } } },
    (title: string) => ({ title }),
  ],
  ['a list', { type: 'array', items: { type: 'string' } }, (title: string) => [title]],
])('an answer that a model gives by a call: %s', (_kind, schema, valueOf) => {
  const look = new FunctionTool({ name: 'look', description: 'Looks.', run: () => 'seen' });
  const gives = (title: string): ScriptedStep => {
    const value = valueOf(title);
    return callsTool('set_model_response', Array.isArray(value) ? { result: value } : value);
  };
  const answered = async (guardrail: Guardrail, ...script: ScriptedStep[]) => {
    const model = new Unable(...script);
    const options = { outputSchema: schema, tools: [look], outputGuardrails: [guardrail] };
    await using runner = await createRunner(defineAgent({ name: 'clerk', ...options }), { model });
    return { result: await runner.run({ message: 'Go' }), model };
  };

  it('is checked by output guardrails as its JSON', async () => {
    const seen: string[] = [];
    const check = (text: string): undefined => void seen.push(text);
    const { result } = await answered({ name: 'sees', check }, gives('Cakes'));

    expect(seen).toContain(JSON.stringify(valueOf('Cakes')));
    expect(result.output).toEqual(valueOf('Cakes'));
  });

  it('ends the run if it is refused, and is nowhere in the log', async () => {
    const { onTripwire: _deny, ...ends } = noBombs;
    const { result } = await answered(ends, gives('A bomb'));

    expect(result.error).toMatchObject({ tripwire: { guardrail: 'no-bombs', where: 'output' } });
    expect(JSON.stringify(result.events)).not.toContain('A bomb');
  });

  it('is given once more if it is denied', async () => {
    const { result, model } = await answered(noBombs, gives('A bomb'), gives('Cakes'));

    expect(result.output).toEqual(valueOf('Cakes'));
    expect(JSON.stringify(result.events)).not.toContain('A bomb');
    expect(model.requests).toHaveLength(2);
  });

  it('is what a guardrail returns instead', async () => {
    const check = (text: string): string => text.replace('Ada', '[name]');
    const { result } = await answered({ name: 'names', check }, gives('Ada'));

    expect(result.output).toEqual(valueOf('[name]'));
    expect(JSON.stringify(result.events)).not.toContain('Ada');
  });

  it('fails if a guardrail returns what is no JSON', async () => {
    const { result } = await answered({ name: 'breaks', check: () => 'no' }, gives('Ada'));

    expect(result.events.at(-1)?.errorCode).toBe('CALLBACK_FAILED');
  });
});

describe.each(WAYS)('an answer %s', (_way, options, bad, code, good) => {
  it('is in the log as one error that ends nothing, without its text', async () => {
    const { result } = await run(options, [bad, good]);
    const [first, last] = result.events;

    expect(first).toMatchObject({
      errorCode: code,
      content: undefined,
      turnComplete: false,
      isFinalResponse: false,
      customMetadata: { 'adorn:retried': true },
    });
    expect(last).toMatchObject({ errorCode: undefined, turnComplete: true });
  });

  it('leaves nothing in the conversation that follows it', async () => {
    const model = new ScriptedModel(bad, good, good);
    await using runner = await createRunner(defineAgent({ name: 'clerk', ...options }), { model });
    await runner.run({ userId: 'ada', sessionId: 's', message: 'Go' });
    await runner.run({ userId: 'ada', sessionId: 's', message: 'And?' });

    expect(model.requests[2]?.contents.map(({ role }) => role)).toEqual(['user', 'model', 'user']);
  });

  it('counts in what the run has used', async () => {
    const { result } = await run(options, [{ ...bad, ...USED }, good]);

    expect(result.events[0]).toMatchObject(USED);
  });

  it('is forgiven again after an answer that could be used', async () => {
    const look = new FunctionTool({ name: 'look', description: 'Looks.', run: () => 'seen' });
    const { result } = await run({ ...options, tools: [look] }, [bad, callsTool('look'), bad, good]);

    expect(result.status).toBe('answered');
  });

  it.each<[string, RunConfig, AgentOptions]>([
    ['model calls', { maxLlmCalls: 1 }, {}],
    ['tokens', { budget: { tokens: 42 } }, {}],
    ['iterations', {}, { maxIterations: 1 }],
  ])('is not asked for again beyond the limit of %s', async (_what, config, more) => {
    const { result, model } = await run({ ...options, ...more }, [{ ...bad, ...USED }], [], 'Go', config);

    expect([result.status, model.requests.length]).toEqual(['failed', 1]);
  });

  it('is asked for again when it is streamed, too', async () => {
    const streaming = { streaming: 'sse' as const };
    const { result } = await run(options, [bad, good], [], 'Go', streaming);

    expect(result.status).toBe('answered');
  });

  it('leads to the same log wherever its process dies, and no process forgets the reason', async () => {
    const lines = await linesWhereverItDies((sessions) =>
      createRunner(defineAgent({ name: 'clerk', ...options }), {
        model: new Corrected(bad, good),
        config: { takeOverAfter: 0 },
        modules: [sessions],
      }),
    );

    expect(lines).toHaveLength(3);
  });
});

/** Gives the good answer once it has read why the bad one could not be used. */
class Corrected extends Model {
  readonly name = 'corrected';

  constructor(
    private readonly bad: ModelResponse,
    private readonly good: ModelResponse,
  ) {
    super();
  }

  async *generate({ contents }: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    yield JSON.stringify(contents.at(-1)).includes('could not be used') ? this.good : this.bad;
  }
}

type AgentOptions = Omit<DefinedAgentOptions, 'name'>;

interface Outcome {
  readonly result: RunResult<unknown>;
  readonly model: ScriptedModel;
}

async function run(
  options: AgentOptions,
  script: readonly ScriptedStep[],
  plugins: GuardrailsPlugin[] = [],
  message = 'Go',
  config: RunConfig = {},
): Promise<Outcome> {
  const model = new ScriptedModel(...script);
  await using runner = await createRunner(defineAgent({ name: 'clerk', ...options }), { model, plugins });
  return { result: await runner.run({ userId: 'ada', message, config }), model };
}
