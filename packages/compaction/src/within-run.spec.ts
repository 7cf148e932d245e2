import {
  agent,
  ContainerModule,
  type Content,
  createRunner,
  type Event,
  EventSummarizer,
  FunctionTool,
  InMemorySessionService,
  LlmAgent,
  Logger,
  type ModelResponse,
  SessionService,
} from '@adorn/core';
import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import { sessionCompaction } from './session-compaction.module.js';

const address = { userId: 'ada', sessionId: 's1' };
const COMPACTION = { tokenThreshold: 100, eventRetentionSize: 2 };

describe('a run that outgrows the token threshold', () => {
  it('shows its model its message, a summary of its earlier steps, and the latest ones', async () => {
    const { runner, shapes, summarizer } = await start(looks(1), looks(2), looks(3), says('Found.'));

    const { text } = await runner.run({ ...address, message: 'Look.' });

    expect(text).toBe('Found.');
    expect(shapes()).toEqual([
      ['Look.'],
      ['Look.', '?1', '!1'],
      ['Look.', 'S1', '?2', '!2'],
      ['Look.', 'S2', '?3', '!3'],
    ]);
    expect(summarizer.asked).toEqual([
      ['?1', '!1'],
      ['S1', '?2', '!2'],
    ]);
  });

  it('keeps all of it in the log, and shows the summary to nobody else', async () => {
    const { runner, sessions } = await start(looks(1), looks(2), says('Found.'));

    const { events, invocationId } = await runner.run({ ...address, message: 'Look.' });

    expect(events.map(shapeOf)).toEqual(['?1', '!1', '?2', '!2', 'Found.']);
    const log = await logOf(sessions);
    expect(log.map(shapeOf)).toEqual(['Look.', '?1', '!1', '?2', '!2', 'S1', 'Found.']);
    expect(log[5]).toMatchObject({ author: 'user', invocationId, nodeInfo: { path: 'clerk' } });
  });

  it('has the conversation before it summarised first', async () => {
    const { runner, shapes } = await start(says('Hello.'), looks(1), says('Found.'), looks(2), says('Done.'));
    await eventsOf(runner.run({ ...address, message: 'Hi.' }));

    await eventsOf(runner.run({ ...address, message: 'Look.' }));

    expect(shapes()[2]).toEqual(['S1', 'Look.', '?1', '!1']);
  });

  it('goes on with all its events where the summary fails, and does not try again', async () => {
    const { runner, shapes, summarizer, warnings } = await start(
      looks(1),
      looks(2),
      looks(3),
      says('Found.'),
    );
    summarizer.fails = true;

    const { text } = await runner.run({ ...address, message: 'Look.' });

    expect(text).toBe('Found.');
    expect(shapes()[3]).toEqual(['Look.', '?1', '!1', '?2', '!2', '?3', '!3']);
    expect(warnings).toEqual(['a long run could not be summarised; it continues with all its events']);
  });

  it('ends as cancelled where it is cancelled meanwhile, and its log has no summary', async () => {
    const stop = new AbortController();
    const { runner, sessions, summarizer } = await start(looks(1), looks(2), says('Never.'));
    summarizer.onAsked = () => {
      stop.abort();
    };

    const events = await eventsOf(runner.run({ ...address, message: 'Look.', signal: stop.signal }));

    expect(events.at(-1)).toMatchObject({ errorCode: 'CANCELLED' });
    expect((await logOf(sessions)).map(shapeOf)).not.toContain('S1');
  });

  it('goes on after a crash behind the summary', async () => {
    const first = await start(looks(1), looks(2), says('Never.'));
    await eventsOf(first.runner.run({ ...address, message: 'Look.' }));
    const log = (await logOf(first.sessions)).slice(0, 6);
    const { runner, sessions, shapes } = await start(says('Found.'));
    let session = await sessions.createSession({ appName: 'clerk', ...address });
    for (const event of log) session = await sessions.appendEvent(session, event);

    const { text } = await runner.resume(address);

    expect(text).toBe('Found.');
    expect(shapes()).toEqual([['Look.', 'S1', '?2', '!2']]);
  });

  it('is undone with its summary by a rewind', async () => {
    const { runner, shapes } = await start(looks(1), looks(2), says('Found.'), says('Hello.'));
    const { invocationId } = await runner.run({ ...address, message: 'Look.' });

    await runner.rewind({ ...address, invocationId });
    await eventsOf(runner.run({ ...address, message: 'Hi.' }));

    expect(shapes().at(-1)).toEqual(['Hi.']);
  });

  it('shows no summary to an agent that it runs as a tool', async () => {
    const asks = { ...callsTool('helper', { request: 'Help.' }), usageMetadata: { promptTokenCount: 500 } };
    const { runner, shapes } = await start(looks(1), looks(2), asks, says('Helped.'), says('Found.'));

    await eventsOf(runner.run({ ...address, message: 'Look.' }));

    expect(shapes()[3]).toEqual(['Help.']);
  });
});

/** Calls a tool from a prompt of 500 tokens. */
function looks(at: number): ModelResponse {
  return { ...callsTool('look', { at }), usageMetadata: { promptTokenCount: 500 } };
}

async function start(...steps: readonly ScriptedStep[]) {
  const sessions = new InMemorySessionService();
  const summarizer = new CountingSummarizer();
  const warnings: string[] = [];
  const bindings = new ContainerModule(({ bind }) => {
    bind(SessionService).toConstantValue(sessions);
    bind(Logger).toConstantValue(new WarningsOf(warnings));
  });
  const model = new ScriptedModel(...steps);
  const runner = await createRunner(Clerk, {
    model,
    modules: [bindings, sessionCompaction],
    compaction: { ...COMPACTION, summarizer },
    config: { takeOverAfter: 0 },
  });
  const shapes = () => model.requests.map(({ contents }) => contents.map((content) => shapeOf({ content })));
  return { runner, sessions, summarizer, warnings, shapes };
}

async function logOf(sessions: SessionService): Promise<readonly Event[]> {
  return (await sessions.getSession({ appName: 'clerk', ...address }))?.events ?? [];
}

/** The last text, or the place that was looked at. */
function shapeOf({
  content,
  actions,
}: {
  content?: Content | undefined;
  actions?: Event['actions'];
}): string {
  const {
    functionCall,
    functionResponse,
    text = '',
  } = (actions?.compaction?.compactedContent ?? content)?.parts?.at(-1) ?? {};
  if (functionCall !== undefined) return `?${String(functionCall.args?.['at'])}`;
  if (functionResponse !== undefined) return `!${String(functionResponse.response?.['result'])}`;
  return text.replace('[Summary of earlier conversation]\n', '');
}

class CountingSummarizer extends EventSummarizer {
  readonly asked: string[][] = [];
  fails = false;
  onAsked: (() => void) | undefined;

  summarize(events: readonly Event[]): Promise<Content> {
    this.asked.push(events.map(shapeOf));
    this.onAsked?.();
    if (this.fails) return Promise.reject(new Error('overloaded'));
    return Promise.resolve({ role: 'user', parts: [{ text: `S${String(this.asked.length)}` }] });
  }
}

class WarningsOf extends Logger {
  constructor(private readonly warnings: string[]) {
    super();
  }

  debug(): void {
    // Nobody reads it.
  }

  info(): void {
    // Nobody reads it.
  }

  warn(message: string): void {
    this.warnings.push(message);
  }

  error(message: string): void {
    this.warnings.push(message);
  }
}

@agent({ name: 'helper', description: 'It does its work.' })
class Helper extends LlmAgent {}

@agent({
  name: 'clerk',
  description: 'It does its work.',
  tools: [
    new FunctionTool({
      name: 'look',
      description: 'It does its work.',
      effect: 'read',
      parameters: { type: 'object', properties: { at: { type: 'number' } } },
      run: ({ at }) => at,
    }),
    Helper,
  ],
})
class Clerk extends LlmAgent {}
