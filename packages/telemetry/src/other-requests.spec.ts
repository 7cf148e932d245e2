import { createRunner, defineAgent, FunctionTool, type ToolContext } from '@adorn/core';
import { liveSessions } from '@adorn/live';
import { sessionCompaction } from '@adorn/compaction';
import {
  callsLive,
  callsTool,
  eventsOf,
  hears,
  isInterrupted,
  says,
  ScriptedLive,
  ScriptedModel,
  type ScriptedStep,
  speaks,
  untilResponse,
  untilText,
} from '@adorn/testing';

import { Collected } from './collected.fixture.js';
import { TelemetryPlugin } from './index.js';

const address = { userId: 'ada', sessionId: 's1' };
const root = ['invoke_agent app', 'invoke_agent clerk'];

describe('TelemetryPlugin, of requests that are no turn of a text run', () => {
  it('reports each answer of a live model, up to its calls or the end of its turn', async () => {
    await using collected = new Collected();
    const usage = { promptTokenCount: 7, candidatesTokenCount: 3, totalTokenCount: 10 };
    const model = new ScriptedLive(
      untilText(),
      callsLive('look', { at: 'moon' }, 'c1'),
      untilResponse('c1'),
      { kind: 'usage', usage },
      speaks('Seen.'),
      hears('Thanks!'),
      speaks('You are welcome.'),
    );
    await using runner = await start();

    await converse(runner, model, 'You are welcome.');

    expect(collected.spans.map((span) => collected.pathOf(span))).toEqual([
      [...root, 'chat scripted-live'],
      [...root, 'execute_tool look'],
      [...root, 'chat scripted-live'],
      [...root, 'chat scripted-live'],
      root,
      ['invoke_agent app'],
    ]);
    const answers = collected.spans
      .filter(({ name }) => name.startsWith('chat'))
      .map((one) => one.attributes);
    expect(answers.map((one) => one['gen_ai.response.finish_reasons'])).toEqual([
      ['tool_call'],
      ['stop'],
      ['stop'],
    ]);
    expect(answers[1]).toMatchObject({ 'gen_ai.usage.input_tokens': 7, 'gen_ai.usage.output_tokens': 3 });
    expect(answers.map((one) => JSON.parse(String(one['gen_ai.input.messages'])) as unknown[])).toMatchObject(
      [
        [{ role: 'user', parts: [{ type: 'text', content: 'Look!' }] }],
        [],
        [{ role: 'user', parts: [{ type: 'text', content: 'Thanks!' }] }],
      ],
    );
    expect(collected.opened.count).toBe(0);
  });

  it('reports an answer that the user interrupts', async () => {
    await using collected = new Collected();
    const model = new ScriptedLive(
      untilText(),
      { kind: 'outputTranscript', text: 'Once upon' },
      isInterrupted(),
    );
    await using runner = await start();

    await using live = runner.live({ ...address, model });
    live.sendText('Look!');
    for await (const event of live) if (event.interrupted === true) break;
    await live.close();

    expect(collected.named('chat scripted-live').attributes).toMatchObject({
      'gen_ai.response.finish_reasons': ['interrupted'],
      'adorn.status': 'completed',
    });
  });

  it('reports the answer during which a live session is closed as cancelled', async () => {
    await using collected = new Collected();
    const model = new ScriptedLive(untilText(), { kind: 'outputTranscript', text: 'Once upon' });
    await using runner = await start();

    await using live = runner.live({ ...address, model });
    live.sendText('Look!');
    for await (const event of live) if (event.outputTranscription) break;
    await live.close();

    expect(collected.named('chat scripted-live').attributes['adorn.status']).toBe('cancelled');
    expect(collected.opened.count).toBe(0);
  });

  it('reports what a tool asks a model, within its call', async () => {
    await using collected = new Collected();
    const ask = new FunctionTool({
      name: 'ask',
      description: 'Asks.',
      run: async (_args: object, context: ToolContext) => {
        const contents = [{ role: 'user', parts: [{ text: 'Well?' }] }];
        return (await context.askModel({ contents, config: { temperature: 0 } })).content;
      },
    });
    await using runner = await start([callsTool('ask'), says('Aside.'), says('Done.')], [ask]);

    await eventsOf(runner.run({ ...address, message: 'Ask!' }));

    const [, aside] = collected.spans;
    expect(aside && collected.pathOf(aside)).toEqual([...root, 'execute_tool ask', 'chat scripted']);
    expect(aside?.attributes).toMatchObject({
      'gen_ai.request.temperature': 0,
      'gen_ai.agent.name': 'clerk',
    });
  });

  it('reports the request of a summary, in the trace of the run before it', async () => {
    await using collected = new Collected();
    const model = new ScriptedModel(says('One.'), says('SUM'));
    const runner = await createRunner(defineAgent({ name: 'clerk', model }), {
      modules: [sessionCompaction],
      appName: 'app',
      compaction: { compactionInterval: 1, overlapSize: 0 },
      plugins: [new TelemetryPlugin({ contents: true })],
    });

    await eventsOf(runner.run({ ...address, message: 'First.' }));
    await runner.close();

    const summary = collected.spans.at(-1);
    expect(summary?.name).toBe('chat scripted');
    expect(summary?.attributes['gen_ai.agent.name']).toBeUndefined();
    expect(summary?.attributes['gen_ai.output.messages']).toContain('SUM');
    expect(new Set(collected.spans.map((span) => span.spanContext().traceId)).size).toBe(1);
    expect(new Set(collected.spans.map(({ attributes }) => attributes['adorn.invocation.id'])).size).toBe(1);
  });
});

async function converse(
  runner: Awaited<ReturnType<typeof start>>,
  model: ScriptedLive,
  last: string,
): Promise<void> {
  await using live = runner.live({ ...address, model });
  live.sendText('Look!');
  for await (const event of live) if (!event.partial && event.text === last) break;
  await live.close();
}

function start(steps: readonly ScriptedStep[] = [], tools: readonly FunctionTool[] = [look]) {
  const clerk = defineAgent({ name: 'clerk', model: new ScriptedModel(...steps), tools: [...tools] });
  const plugins = [new TelemetryPlugin({ contents: true })];
  return createRunner(clerk, { appName: 'app', plugins, modules: [liveSessions] });
}

const look = new FunctionTool({
  name: 'look',
  description: 'Looks.',
  parameters: { type: 'object', properties: { at: { type: 'string' } } },
  run: () => 'seen',
});
