import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { SpanProcessor } from '@opentelemetry/sdk-trace-base';

import {
  agent,
  agentTool,
  createRunner,
  defineAgent,
  FunctionTool,
  Model,
  type ModelResponse,
  SequentialAgent,
  type PendingRequest,
  Plugin,
} from '@adorn/core';
import { RedactionPlugin } from '@adorn/plugins';
import { toolPolicies } from '@adorn/policies';
import type { Observation } from '@adorn/core/backend';
import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import { Collected } from './collected.fixture.js';
import { type TelemetryOptions, TelemetryPlugin } from './index.js';

describe('TelemetryPlugin', () => {
  it('reports a run, its agent, each request to the model and each call, one within the other', async () => {
    await using collected = new Collected();
    await using runner = await start([callsTool('look', { at: 'moon' }), says('Seen.')]);

    await eventsOf(runner.run({ ...address, message: 'Look!' }));

    const root = ['invoke_agent app', 'invoke_agent clerk'];
    expect(collected.spans.map((span) => collected.pathOf(span))).toEqual([
      [...root, 'chat scripted'],
      [...root, 'execute_tool look'],
      [...root, 'chat scripted'],
      root,
      ['invoke_agent app'],
    ]);
    expect(new Set(collected.spans.map((span) => span.spanContext().traceId)).size).toBe(1);
    expect(collected.named('execute_tool look')).toMatchObject({
      kind: SpanKind.INTERNAL,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'look',
        'gen_ai.tool.type': 'function',
        'gen_ai.conversation.id': 's1',
        'adorn.status': 'completed',
        'adorn.tool.attempts': 1,
        'adorn.tool.arguments.size': 13,
        'adorn.tool.response.size': 17,
      },
    });
    expect(collected.named('chat scripted')).toMatchObject({
      kind: SpanKind.CLIENT,
      attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.response.finish_reasons': ['tool_call'] },
    });
    expect(collected.opened.count).toBe(0);
  });

  it('nests the spans without a context manager too', async () => {
    await using collected = new Collected({ withContextManager: false });
    await using runner = await start([callsTool('look'), says('Seen.')]);

    await eventsOf(runner.run({ ...address, message: 'Look!' }));

    expect(collected.pathOf(collected.named('execute_tool look'))).toEqual([
      'invoke_agent app',
      'invoke_agent clerk',
      'execute_tool look',
    ]);
  });

  it('does not mix runs that run at the same time', async () => {
    await using collected = new Collected();
    await using runner = await start(Array.from({ length: 20 }, () => says('Hi.')));

    await Promise.all(
      Array.from({ length: 20 }, (_none, index) =>
        eventsOf(runner.run({ userId: 'ada', sessionId: `s${String(index)}`, message: 'Hi!' })),
      ),
    );

    const sessions = new Map<string, Set<unknown>>();
    for (const span of collected.spans) {
      const { traceId } = span.spanContext();
      const seen = sessions.get(traceId) ?? new Set();
      sessions.set(traceId, seen.add(span.attributes['gen_ai.conversation.id']));
    }
    expect(sessions.size).toBe(20);
    expect([...sessions.values()].every((seen) => seen.size === 1)).toBe(true);
  });

  it('says that a run waits for a person, and tells its second half as a run of the same conversation', async () => {
    await using collected = new Collected();
    const pay = new FunctionTool({ name: 'pay', description: 'Pays.', confirm: true, run: () => 'paid' });
    await using runner = await start([callsTool('pay'), says('Paid.')], { tools: [pay] });

    const { pending } = await runner.run({ ...address, message: 'Pay!' });
    const statuses = () => collected.spans.map(({ name, attributes }) => [name, attributes['adorn.status']]);
    const paused = statuses();
    collected.clear();
    await runner.approve(pending[0] as PendingRequest);

    expect(paused).toEqual([
      ['chat scripted', 'completed'],
      ['execute_tool pay', 'paused'],
      ['invoke_agent clerk', 'paused'],
      ['invoke_agent app', 'paused'],
    ]);
    expect(statuses()).toEqual([
      ['execute_tool pay', 'completed'],
      ['chat scripted', 'completed'],
      ['invoke_agent clerk', 'completed'],
      ['invoke_agent app', 'completed'],
    ]);
    expect(collected.named('invoke_agent clerk').attributes).toMatchObject({
      'gen_ai.conversation.id': 's1',
      'adorn.agent.resumed': true,
    });
  });

  it('names the error of a tool that throws, without its text, and tells the verdict of each gate', async () => {
    await using collected = new Collected();
    await using runner = await start([callsTool('fail'), says('Sorry.')]);
    const gates = runner.get<readonly { readonly name: string }[]>(Symbol.for('adorn:ToolGates'));

    await eventsOf(runner.run({ ...address, message: 'Fail!' }));

    const { status, attributes, events } = collected.named('execute_tool fail');
    expect(status).toEqual({ code: SpanStatusCode.ERROR });
    expect(attributes['error.type']).toBe('TypeError');
    expect(
      events.map(({ attributes: fact }) => [fact?.['adorn.gate.name'], fact?.['adorn.gate.verdict']]),
    ).toEqual(gates.map(({ name }) => [name, name === 'run' ? 'failed' : 'open']));
    expect(collected.named('invoke_agent app')).toMatchObject({
      status: { code: SpanStatusCode.UNSET },
      attributes: { 'adorn.status': 'completed' },
    });
  });

  it('counts attempts, with the delay and error of each retry', async () => {
    await using collected = new Collected();
    let runs = 0;
    const shaky = new FunctionTool({
      name: 'shaky',
      description: 'Fails once.',
      effect: 'read',
      retry: { attempts: 2, delayMs: 1 },
      run: () => {
        if (runs++ === 0) throw new RangeError('once');
        return 'ok';
      },
    });
    await using runner = await start([callsTool('shaky'), says('Done.')], { tools: [shaky] });

    await eventsOf(runner.run({ ...address, message: 'Try!' }));

    const { attributes, events } = collected.named('execute_tool shaky');
    expect(attributes).toMatchObject({ 'adorn.tool.attempts': 2, 'adorn.status': 'completed' });
    expect(events.find(({ name }) => name === 'adorn.tool.retry')?.attributes).toMatchObject({
      'error.type': 'RangeError',
    });
  });

  it('ends all spans of a cancelled run, also of a model that never answers', async () => {
    await using collected = new Collected();
    await using runner = await start([], { model: new Mute() });

    const run = runner.run({ ...address, message: 'Hello?' });
    setTimeout(() => {
      run.cancel();
    }, 20);
    await eventsOf(run);

    expect(collected.opened.count).toBe(0);
    expect(collected.named('chat mute').attributes['error.type']).toBe('CANCELLED');
    expect(collected.named('invoke_agent app').attributes).toMatchObject({ 'adorn.status': 'cancelled' });
  });

  it('ends the span of a background call when its tool ends', async () => {
    await using collected = new Collected();
    const slow = new FunctionTool({
      name: 'slow',
      description: 'Takes long.',
      background: true,
      run: () => new Promise((resolve) => setTimeout(resolve, 60, 'done')),
    });
    await using runner = await start([callsTool('slow'), says('It runs.'), says('It is done.')], {
      tools: [slow],
    });

    await eventsOf(runner.run({ ...address, message: 'Go!' }));

    const { duration, attributes } = collected.named('execute_tool slow');
    expect(duration[0] * 1_000 + duration[1] / 1e6).toBeGreaterThan(50);
    expect(attributes['adorn.status']).toBe('completed');
    expect(collected.opened.count).toBe(0);
  });

  it('puts an agent that is a tool under its call', async () => {
    await using collected = new Collected();
    const expert = defineAgent({
      name: 'expert',
      description: 'Knows.',
      model: new ScriptedModel(says('42.')),
    });
    await using runner = await start([callsTool('expert', { request: 'Why?' }), says('42.')], {
      tools: [agentTool(expert)],
    });
    await eventsOf(runner.run({ ...address, message: 'Why?' }));

    expect(collected.pathOf(collected.named('invoke_agent expert'))).toEqual([
      'invoke_agent app',
      'invoke_agent clerk',
      'execute_tool expert',
      'invoke_agent expert',
    ]);
  });

  it('puts the agents of a workflow under it', async () => {
    await using collected = new Collected();
    const said = (name: string) => defineAgent({ name, model: new ScriptedModel(says('Done.')) });
    @agent({ name: 'both', subAgents: [said('first'), said('second')] })
    class Both extends SequentialAgent {}
    await using runner = await createRunner(Both, { appName: 'app', plugins: [new TelemetryPlugin()] });

    await eventsOf(runner.run({ ...address, message: 'Go!' }));

    for (const name of ['first', 'second'])
      expect(collected.pathOf(collected.named(`invoke_agent ${name}`))).toEqual([
        'invoke_agent app',
        'invoke_agent both',
        `invoke_agent ${name}`,
      ]);
  });

  it('leaves no open span after 100 runs', async () => {
    await using collected = new Collected();
    const steps = Array.from({ length: 100 }, () => [callsTool('look'), says('Seen.')]).flat();
    await using runner = await start(steps);

    for (let index = 0; index < 100; index++)
      await runner.run({ userId: 'ada', sessionId: `s${String(index)}`, message: 'Look!' });

    expect(collected.spans).toHaveLength(500);
    expect(collected.opened.count).toBe(0);
  });

  it('does not harm a run when the SDK throws, and logs that once', async () => {
    const broken: SpanProcessor = {
      onStart: () => {
        throw new Error('the processor is broken');
      },
      onEnd: () => {
        throw new Error('the processor is broken');
      },
      forceFlush: () => Promise.resolve(),
      shutdown: () => Promise.resolve(),
    };
    await using _collected = new Collected({ processors: [broken] });
    const errors = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    await using runner = await start([callsTool('look'), says('Seen.')]);

    const { text } = await runner.run({ ...address, message: 'Look!' });

    expect(text).toBe('Seen.');
    expect(errors.mock.calls.flat().join()).toContain('the plugin "telemetry" failed to observe');
    expect(errors).toHaveBeenCalledTimes(1);
    errors.mockRestore();
  });

  it('records no contents unless they are wanted, and redacts them then', async () => {
    await using collected = new Collected();
    const steps = [callsTool('look', { at: 'moon', password: 'hunter22' }), says('Call 555-1234.')];
    const silent = await start(steps);
    await eventsOf(silent.run({ ...address, message: 'My number is 555-1234.' }));
    await silent[Symbol.asyncDispose]();
    const all = JSON.stringify(collected.spans.map(({ attributes }) => attributes));
    expect(all).not.toMatch(/555-1234|moon|hunter/);
    collected.clear();
    await using telling = await start(steps, { telemetry: { contents: true } });

    await eventsOf(telling.run({ ...address, message: 'My number is 555-1234.' }));

    const told = collected.spans.map(({ attributes }) => attributes);
    expect(JSON.stringify(told)).not.toMatch(/555-1234|hunter22/);
    expect(JSON.parse(String(told[0]?.['gen_ai.input.messages']))).toEqual([
      { role: 'user', parts: [{ type: 'text', content: 'My number is [redacted].' }] },
    ]);
    expect(told[1]?.['gen_ai.tool.call.arguments']).toBe('{"at":"moon","password":"[redacted]"}');
  });

  it('measures tokens, durations, errors and the time to the first piece', async () => {
    await using collected = new Collected();
    await using runner = await start([], { model: new Streaming() });

    await eventsOf(runner.run({ ...address, message: 'Hi!', config: { streaming: 'sse' } }));

    const usage = await collected.points('gen_ai.client.token.usage');
    expect(
      usage.map((point) => [point.attributes['gen_ai.token.type'], (point.value as { sum: number }).sum]),
    ).toEqual([
      ['input', 7],
      ['output', 5],
    ]);
    expect(await collected.points('gen_ai.client.operation.duration')).toHaveLength(1);
    expect(await collected.points('gen_ai.client.operation.time_to_first_chunk')).toHaveLength(1);
    expect(collected.named('chat streaming').attributes).toMatchObject({
      'gen_ai.request.stream': true,
      'gen_ai.usage.output_tokens': 5,
      'gen_ai.response.time_to_first_chunk': expect.any(Number),
    });
  });

  it.each<[unknown, string]>([
    [null, 'its options are null.'],
    [{ contents: 'yes' }, 'its contents is a text.'],
    [{ content: true }, 'there is no option content. Did you mean contents?'],
    [{ attributes: {} }, 'its attributes is'],
  ])('refuses the options %j', (options, fault) => {
    expect(() => new TelemetryPlugin(options as TelemetryOptions)).toThrow(`TelemetryPlugin: ${fault}`);
  });

  it('observes nothing without an SDK', () => {
    const run = { kind: 'run', appName: 'app', userId: 'ada', sessionId: 's1', invocationId: 'i' } as const;

    expect(new TelemetryPlugin().observe(run)).toBeUndefined();
  });
});

describe('a plugin that observes', () => {
  it.each<[string, () => Observation | undefined]>([
    ['throws', () => fail()],
    ['does not call the work', () => ({ within: () => undefined, end: () => undefined })],
    ['calls the work twice', () => ({ within: (work) => [work, work].forEach(call), end: () => undefined })],
    ['throws within', () => ({ within: () => fail(), end: () => fail(), note: () => fail() })],
    [
      'throws behind the work',
      () => ({ within: (work) => [work, fail].forEach(call), end: () => undefined }),
    ],
  ])('changes nothing when it %s', async (_what, observe) => {
    class Bad extends Plugin {
      readonly name = 'bad';

      override observe(): Observation | undefined {
        return observe();
      }
    }
    const errors = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    let looks = 0;
    const look = new FunctionTool({ name: 'look', description: '', run: () => ++looks });
    await using runner = await start([callsTool('look'), says('Seen.')], {
      tools: [look],
      plugins: [new Bad()],
    });

    const { text } = await runner.run({ ...address, message: 'Look!' });

    expect(text).toBe('Seen.');
    expect(looks).toBe(1);
    errors.mockRestore();
  });
});

function call(work: () => void): void {
  work();
}

function fail(): never {
  throw new Error('an observer that fails');
}

const address = { userId: 'ada', sessionId: 's1' };

/** Never answers, and does not stop either. */
class Mute extends Model {
  readonly name = 'mute';

  // eslint-disable-next-line require-yield -- nothing answers
  async *generate(): AsyncGenerator<ModelResponse, void, undefined> {
    await new Promise(() => undefined);
  }
}

class Streaming extends Model {
  readonly name = 'streaming';

  async *generate(): AsyncGenerator<ModelResponse, void, undefined> {
    await Promise.resolve();
    yield { partial: true, content: { role: 'model', parts: [{ text: 'H' }] } };
    yield {
      content: { role: 'model', parts: [{ text: 'Hi' }] },
      finishReason: 'STOP',
      usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3, thoughtsTokenCount: 2 },
    };
  }
}

interface Setup {
  readonly plugins?: readonly Plugin[];
  readonly tools?: readonly unknown[];
  readonly model?: Model;
  readonly telemetry?: TelemetryOptions;
}

function start(steps: readonly ScriptedStep[], setup: Setup = {}) {
  const { model = new ScriptedModel(...steps), telemetry } = setup;
  const look = new FunctionTool({
    name: 'look',
    description: 'Looks.',
    parameters: { type: 'object', properties: { at: { type: 'string' }, password: { type: 'string' } } },
    run: () => 'seen',
  });
  const broken = new FunctionTool({
    name: 'fail',
    description: '',
    run: () => {
      throw new TypeError('broken by 555-1234');
    },
  });
  const clerk = defineAgent({ name: 'clerk', model, tools: (setup.tools ?? [look, broken]) as never });
  const plugins = setup.plugins ?? [
    new RedactionPlugin({ patterns: [/\d{3}-\d{4}/], requests: false }),
    new TelemetryPlugin(telemetry),
  ];
  return createRunner(clerk, { appName: 'app', plugins, modules: [toolPolicies] });
}
