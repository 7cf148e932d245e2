import {
  agent,
  ContainerModule,
  type Content,
  createRunner,
  Event,
  FunctionTool,
  InMemorySessionService,
  LlmAgent,
  Logger,
  type ModelResponse,
  type Runner,
  SessionService,
} from '@adorn/core';
import type { EventFields, EventsCompactionConfig, LogFacts } from '@adorn/core/backend';
import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import { DelayedSummarizer } from '../../core/src/compaction/delayed-summarizer.fixture.js';
import { sessionCompaction } from './session-compaction.module.js';

const address = { userId: 'ada', sessionId: 's1' };
const EVERY_SECOND = { compactionInterval: 2, overlapSize: 0 };

describe('the compaction of conversations', () => {
  it('shows the model a summary in the place of what it covers, and keeps all of it in the log', async () => {
    const { runner, model, sessions } = await start(EVERY_SECOND, [
      ...[says('one'), says('two'), says('SUM'), says('three')],
    ]);
    await sayAll(runner, 'First.', 'Second.');
    await summaries(sessions, 1);

    await say(runner, 'Third.');

    expect(model.requests.at(-1)?.contents).toEqual([
      { role: 'user', parts: [{ text: '[Summary of earlier conversation]\nSUM' }] },
      { role: 'user', parts: [{ text: 'Third.' }] },
    ]);
    expect((await stored(sessions)).map(({ text }) => text)).toEqual([
      ...['First.', 'one', 'Second.', 'two', '', 'Third.', 'three'],
    ]);
  });

  it('does nothing unless it is told to', async () => {
    const { runner, sessions } = await start(undefined, repeated(12));

    await sayAll(runner, ...texts(12));
    await runner.close();

    expect((await stored(sessions)).length).toBe(24);
  });

  it('begins after five runs, and tells two events of the last summary again, where nothing else is said', async () => {
    const summarizer = new DelayedSummarizer();
    const { runner, sessions } = await start({ summarizer }, repeated(10));

    for (const text of texts(10)) {
      await say(runner, text);
      await idle();
      summarizer.answer('SUM');
      await summaries(sessions, Number(text) >= 9 ? 2 : Number(text) >= 4 ? 1 : 0);
    }

    expect(summarizer.asked).toEqual([
      ['0', 'a', '1', 'a', '2', 'a', '3', 'a', '4', 'a'],
      ['4', 'a', '5', 'a', '6', 'a', '7', 'a', '8', 'a', '9', 'a'],
    ]);
  });

  describe('by tokens', () => {
    it('begins at the threshold, keeps the latest events, and takes earlier summaries into the new one', async () => {
      const summarizer = new DelayedSummarizer();
      const { runner, model, sessions } = await start(
        { tokenThreshold: 100, eventRetentionSize: 2, summarizer },
        [used('a', 99), used('b', 100), used('c', 99), used('d', 120), says('e')],
      );
      await say(runner, '0');
      await idle();
      expect(summarizer.asked).toEqual([]);

      await say(runner, '1');
      await answered(summarizer, 'S1');
      await summaries(sessions, 1);
      await sayAll(runner, '2', '3');
      await answered(summarizer, 'S2');
      await summaries(sessions, 2);
      await say(runner, '4');

      expect(summarizer.asked).toEqual([
        ['0', 'a'],
        ['summary S1', '1', 'b', '2', 'c'],
      ]);
      expect(sent(model)).toEqual(['[Summary of earlier conversation]', 'S2', '3', 'd', '4']);
    });

    it('is not begun again by what was reported before the summary', async () => {
      const summarizer = new DelayedSummarizer();
      const { runner, sessions } = await start({ tokenThreshold: 100, eventRetentionSize: 0, summarizer }, [
        used('a', 500),
        says('b'),
      ]);
      await say(runner, '0');
      await answered(summarizer, 'S');
      await summaries(sessions, 1);

      await say(runner, '1');
      await idle();

      expect(summarizer.asked).toHaveLength(1);
    });

    it('goes before the interval, which holds beneath it', async () => {
      const summarizer = new DelayedSummarizer();
      const rules = { tokenThreshold: 100, eventRetentionSize: 1, compactionInterval: 2, summarizer };
      const { runner, sessions } = await start(rules, [
        used('a', 1),
        used('b', 100),
        used('c', 1),
        used('d', 1),
      ]);
      await sayAll(runner, '0', '1');
      await answered(summarizer, 'S1');
      await summaries(sessions, 1);

      await sayAll(runner, '2', '3');
      await answered(summarizer, 'S2');
      await summaries(sessions, 2);

      expect(summarizer.asked).toEqual([
        ['0', 'a', '1'],
        ['a', '1', 'b', '2', 'c', '3', 'd'],
      ]);
    });
  });

  describe('of what somebody waits for', () => {
    it('covers no call that waits for a yes, which can be given, and tells it once it is answered', async () => {
      const summarizer = new DelayedSummarizer();
      const { runner, model, sessions } = await start({ ...EVERY_SECOND, summarizer }, [
        says('a'),
        callsTool('refund', {}, 'c1'),
        says('b'),
        says('c'),
        says('Done.'),
        says('d'),
        says('e'),
      ]);
      await sayAll(runner, '0', '1');
      await answered(summarizer, 'S1');
      await summaries(sessions, 1);
      expect(summarizer.asked).toEqual([['0', 'a']]);
      await sayAll(runner, '2', '3');
      await answered(summarizer, 'S2');
      await summaries(sessions, 2);
      expect(summarizer.asked[1]).toEqual(['1', '2', 'b', '3', 'c']);

      const [request] = await runner.pending(address);
      await eventsOf(runner.approve(request!));
      expect(model.requests.at(-1)?.contents.map(shape)).toEqual(['S1', 'S2', '?refund', '!refund']);
      await say(runner, '4');
      await answered(summarizer, 'S3');
      await summaries(sessions, 3);

      expect(summarizer.asked[2]).toEqual([
        ...['?refund', '?adk_request_confirmation', '!refund', '!adk_request_confirmation', '!refund'],
        ...['Done.', '4', 'd'],
      ]);
      await say(runner, '5');
      expect(model.requests.at(-1)?.contents.map(shape)).toEqual(['S1', 'S2', 'S3', '5']);
    });

    it('is not held up by a call that was left without an answer', async () => {
      const summarizer = new DelayedSummarizer();
      const { runner, sessions, model } = await start({ ...EVERY_SECOND, summarizer }, [
        ...[says('a'), says('b'), says('c')],
      ]);
      await say(runner, '0');
      const crashed = { role: 'model', parts: [{ functionCall: { id: 'c9', name: 'look', args: {} } }] };
      const [last] = (await stored(sessions)).slice(-1);
      await append(sessions, { author: 'clerk', content: crashed, invocationId: last!.invocationId });

      await say(runner, '1');
      await answered(summarizer, 'S');
      await summaries(sessions, 1);
      await say(runner, '2');

      expect(summarizer.asked).toEqual([['0', 'a', '?look', '!look', '1', 'b']]);
      expect(model.requests.at(-1)?.contents.map(shape)).toEqual(['S', '2']);
    });
  });

  describe('behind the back of its runs', () => {
    it('keeps no reader waiting, and lets the next run go on', async () => {
      const summarizer = new DelayedSummarizer();
      const { runner, model, sessions } = await start({ ...EVERY_SECOND, summarizer }, repeated(4));
      await sayAll(runner, '0', '1');
      await idle();
      await say(runner, '2');
      await answered(summarizer, 'S');
      await summaries(sessions, 1);

      expect((await stored(sessions)).map(({ text }) => text)).toEqual(['0', 'a', '1', 'a', '2', 'a', '']);
      await say(runner, '3');
      expect(model.requests.at(-1)?.contents.map(shape)).toEqual(['S', '2', 'a', '3']);
    });

    it('goes on for a reader who stops reading', async () => {
      const summarizer = new DelayedSummarizer();
      const { runner, sessions } = await start(
        { compactionInterval: 1, overlapSize: 0, summarizer },
        repeated(1),
      );
      for await (const event of runner.run({ ...address, message: '0' })) if (event.isFinalResponse) break;

      await answered(summarizer, 'S');

      await expect(summaries(sessions, 1)).resolves.toBeUndefined();
    });

    it('waits while another run of the conversation is queued', async () => {
      const summarizer = new DelayedSummarizer();
      let release: (() => void) | undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const { runner } = await start({ compactionInterval: 1, overlapSize: 0, summarizer }, [
        () => released.then(() => says('a')),
        says('b'),
      ]);
      const runs = [say(runner, '0'), say(runner, '1')];
      await idle();

      release?.();
      await Promise.all(runs);
      await idle();

      expect(summarizer.asked).toEqual([['0', 'a', '1', 'b']]);
    });

    it.each<[string, () => Promise<never>]>([
      ['rejects', () => Promise.reject(new Error('overloaded'))],
      [
        'throws',
        () => {
          throw new Error('overloaded');
        },
      ],
    ])('warns of a summarizer that %s, and tries again after the next run', async (_how, fail) => {
      const summarizer = new DelayedSummarizer();
      const { runner, sessions, warnings } = await start({ ...EVERY_SECOND, summarizer }, repeated(3));
      await say(runner, '0');
      summarizer.failBy(fail);
      const events = await say(runner, '1');
      await idle();

      expect(events.at(-1)?.text).toBe('a');
      expect(warnings).toEqual([{ sessionId: 's1', error: new Error('overloaded') }]);
      await say(runner, '2');
      await answered(summarizer, 'S');
      await summaries(sessions, 1);
      expect(summarizer.asked.at(-1)).toEqual(['0', 'a', '1', 'a', '2', 'a']);
    });

    it.each<[string, Content | undefined]>([
      ['nothing', undefined],
      ['blanks', { role: 'user', parts: [{ text: ' \n' }] }],
      ['a call', { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] }],
    ])('leaves all as it is where the summary is %s', async (_what, content) => {
      const summarizer = new DelayedSummarizer();
      const { runner, sessions, warnings, model } = await start({ ...EVERY_SECOND, summarizer }, repeated(3));
      await sayAll(runner, '0', '1');
      await idle();
      summarizer.give(content);
      await idle();
      await say(runner, '2');

      expect((await stored(sessions)).length).toBe(6);
      expect(model.requests.at(-1)?.contents.map(shape)).toEqual(['0', 'a', '1', 'a', '2']);
      expect(warnings).toEqual([]);
    });

    it('is given up by a rewind, and tells nothing that was undone', async () => {
      const summarizer = new DelayedSummarizer();
      const { runner, sessions, warnings, model } = await start({ ...EVERY_SECOND, summarizer }, repeated(3));
      await say(runner, '0');
      const second = await say(runner, '1');
      await idle();

      await runner.rewind({ ...address, invocationId: second[0]!.invocationId });
      summarizer.answer('S');
      await idle();
      await say(runner, '2');

      expect(summarizer.signals[0]?.aborted).toBe(true);
      expect(await markersIn(sessions)).toEqual([]);
      expect(model.requests.at(-1)?.contents.map(shape)).toEqual(['0', 'a', '2']);
      expect(warnings).toEqual([]);
    });

    it('is done when the runner is closed', async () => {
      const summarizer = new DelayedSummarizer();
      const { runner, sessions } = await start({ ...EVERY_SECOND, summarizer }, repeated(2));
      await sayAll(runner, '0', '1');
      const closed = runner.close();
      await answered(summarizer, 'S');

      await closed;

      expect(await markersIn(sessions)).toEqual(['S']);
    });
  });
});

async function start(compaction: EventsCompactionConfig | undefined, script: readonly ScriptedStep[]) {
  const sessions = new InMemorySessionService();
  const model = new ScriptedModel(...script);
  const warnings: LogFacts[] = [];
  const modules = [
    new ContainerModule(({ bind }) => {
      bind(SessionService).toConstantValue(sessions);
      bind(Logger).toConstantValue(new WarningsOf(warnings));
    }),
  ];
  const runner = await createRunner(Clerk, {
    model,
    modules: [...modules, sessionCompaction],
    config: { takeOverAfter: 0 },
    ...(compaction && { compaction }),
  });
  return { runner, model, sessions, warnings };
}

function say(runner: Runner, message: string): Promise<Event[]> {
  return eventsOf(runner.run({ ...address, message }));
}

async function sayAll(runner: Runner, ...messages: readonly string[]): Promise<void> {
  for (const message of messages) await say(runner, message);
}

function texts(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(index));
}

function repeated(count: number): ModelResponse[] {
  return Array.from({ length: count }, () => says('a'));
}

function used(text: string, promptTokenCount: number): ModelResponse {
  return { ...says(text), usageMetadata: { promptTokenCount } };
}

async function stored(sessions: SessionService): Promise<readonly Event[]> {
  return (await sessions.getSession({ appName: 'clerk', ...address }))?.events ?? [];
}

async function append(sessions: SessionService, fields: EventFields) {
  const session = await sessions.getSession({ appName: 'clerk', ...address });
  await sessions.appendEvent(session!, new Event(fields));
}

async function markersIn(sessions: SessionService): Promise<string[]> {
  const events = await stored(sessions);
  return events.flatMap(({ actions: { compaction } }) =>
    compaction === undefined ? [] : [compaction.compactedContent.parts?.at(-1)?.text ?? ''],
  );
}

/** Waits until so many summaries are in the log. */
async function summaries(sessions: SessionService, count: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if ((await markersIn(sessions)).length >= count) return;
    await idle();
  }
  throw new Error(`There are not ${String(count)} summaries.`);
}

/** Waits until the summarizer was asked, and has it answer. */
async function answered(summarizer: DelayedSummarizer, text: string): Promise<void> {
  for (let tries = 0; tries < 200 && !summarizer.isAsked; tries++) await idle();
  summarizer.answer(text);
}

/** Lets all that can go on without waiting go on. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

function sent(model: ScriptedModel): (string | undefined)[] {
  return model.requests.at(-1)?.contents.flatMap(({ parts = [] }) => parts.map(({ text }) => text)) ?? [];
}

/** The last text of a content, or the names of its calls and responses. */
function shape({ parts = [] }: Content): string | undefined {
  const last = parts.at(-1);
  if (last?.functionCall !== undefined) return `?${last.functionCall.name ?? ''}`;
  return last?.functionResponse === undefined ? last?.text : `!${last.functionResponse.name ?? ''}`;
}

class WarningsOf extends Logger {
  constructor(private readonly warnings: LogFacts[]) {
    super();
  }

  debug(): void {
    // Nobody reads it.
  }

  info(): void {
    // Nobody reads it.
  }

  warn(_message: string, facts: LogFacts = {}): void {
    this.warnings.push(facts);
  }

  error(message: string, facts: LogFacts = {}): void {
    this.warnings.push({ message, ...facts });
  }
}

@agent({
  description: 'It does its work.',
  tools: [
    new FunctionTool({
      name: 'refund',
      description: 'It does its work.',
      confirm: true,
      run: () => ({ paid: true }),
    }),
    new FunctionTool({ name: 'look', description: 'It does its work.', run: () => ({ at: 1 }) }),
  ],
})
class Clerk extends LlmAgent {}
