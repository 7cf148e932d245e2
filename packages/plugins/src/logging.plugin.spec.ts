import { agent, createRunner, FunctionTool, LlmAgent, Logger, type Plugin } from '@adorn/core';
import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep, streams } from '@adorn/testing';

import { ListLogger } from './list-logger.fixture.js';
import { type LoggingOptions, LoggingPlugin } from './logging.plugin.js';
import { RedactionPlugin } from './redaction.plugin.js';

describe('LoggingPlugin', () => {
  it('writes a line for the message, each event and the end of a run: names, and no values', async () => {
    const { lines, log } = await run([
      callsTool('pay', { card: 'visa 4111', password: 'hunter2' }, 'c1'),
      says('Paid.'),
    ]);

    expect(lines.map(([level, message]) => [level, message])).toEqual([
      ['info', 'runner created'],
      ['info', 'message'],
      ['info', 'event'],
      ['info', 'event'],
      ['info', 'event'],
      ['info', 'run ended'],
    ]);
    expect(lines.map(([, , facts]) => facts)).toMatchObject([
      { appName: 'clerk', root: 'clerk' },
      { userId: 'ada', sessionId: 's1', parts: 1 },
      { author: 'clerk', calls: [{ id: 'c1', name: 'pay' }] },
      { author: 'clerk', responses: [{ id: 'c1', name: 'pay', isError: false }], stateKeys: ['receipt'] },
      { author: 'clerk', isFinalResponse: true },
      { milliseconds: expect.any(Number) },
    ]);
    expect(log).not.toMatch(/visa|hunter2|secret|Paid|Pay, please|r-17/);
  });

  it('writes arguments and results where it is told to, but nothing under the name of a secret', async () => {
    const { lines, log } = await run(
      [callsTool('pay', { card: 'visa 4111', password: 'hunter2' }), says('Paid.')],
      { detail: 'arguments' },
    );

    expect(lines[2]?.[2]).toMatchObject({ calls: [{ args: '{"card":"visa 4111","password":"[hidden]"}' }] });
    expect(lines[3]?.[2]).toMatchObject({
      responses: [{ response: '{"ok":true,"accessToken":"[hidden]"}' }],
    });
    expect(log).not.toMatch(/hunter2|secret|Paid|Pay, please/);
  });

  it('writes texts where it is told to, cut where they are long', async () => {
    const { lines } = await run([says(`Paid. ${'x'.repeat(2_000)}`)], { detail: 'texts', level: 'debug' });

    expect(lines[1]).toMatchObject(['debug', 'message', { text: 'Pay, please.' }]);
    expect(lines[2]?.[2]['text']).toMatch(/^Paid\. x{994}… \(2006 characters\)$/);
  });

  it('writes how a run failed: with an event, or with an error', async () => {
    const failed = await run([], { detail: 'texts' });
    const aborted = await run([says('Hi.')], {}, [
      new RedactionPlugin({
        redact: (text) => {
          if (text === 'Hi.') throw new RangeError('no service');
          return text;
        },
      }),
    ]);

    expect(failed.lines.at(-2)?.[2]).toMatchObject({
      errorCode: 'SCRIPT_EXHAUSTED',
      errorMessage: expect.any(String),
    });
    expect(failed.lines.at(-1)?.[2]).toMatchObject({ errorCode: 'SCRIPT_EXHAUSTED' });
    expect(aborted.lines.at(-1)?.[2]).toMatchObject({
      error: 'CallbackFailedError',
      code: 'CALLBACK_FAILED',
    });
    expect(aborted.log).not.toContain('no service');
  });

  it('writes events as the plugins before it left them', async () => {
    const { log } = await run([says('It is sk-1.')], { detail: 'texts' }, [
      new RedactionPlugin({ patterns: [/sk-\d/] }),
    ]);

    expect(log).toContain('It is [redacted].');
    expect(log).not.toContain('sk-1');
  });

  it('leaves out pieces of streamed answers', async () => {
    const { lines } = await run([streams('Hel', 'lo.')], {}, [], 'sse');

    expect(lines.filter(([, message]) => message === 'event')).toHaveLength(1);
  });

  it('writes to the logger of the runner where it has none of its own', async () => {
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { events } = await run([says('Hello.')], { logger: undefined });

    expect(events.at(-1)?.text).toBe('Hello.');
  });

  it('fails no run by a logger that throws', async () => {
    class Broken extends Logger {
      debug(): never {
        throw new Error('disk full');
      }

      info(): never {
        throw new Error('disk full');
      }

      warn(): never {
        throw new Error('disk full');
      }

      error(): never {
        throw new Error('disk full');
      }
    }

    const { events } = await run([says('Hello.')], { logger: new Broken() });

    expect(events.at(-1)?.text).toBe('Hello.');
  });

  it.each<[string, unknown, RegExp]>([
    ['an unknown detail', { detail: 'all' }, /detail is "all"\. .*Valid: names/],
    ['an unknown level', { level: 'warn' }, /level is "warn"/],
    ['an unknown option', { details: 'names' }, /Did you mean detail/],
    ['null', null, /its options are null/],
  ])('is not made with %s', (_what, options, message) => {
    expect(() => new LoggingPlugin(options as LoggingOptions)).toThrow(message);
  });
});

async function run(
  steps: readonly ScriptedStep[],
  options: LoggingOptions = {},
  before: readonly Plugin[] = [],
  streaming: 'sse' | 'none' = 'none',
) {
  const pay = new FunctionTool({
    name: 'pay',
    description: 'Pays.',
    parameters: { type: 'object', properties: { card: {}, password: {} } },
    run(_args, { state }) {
      state.set('receipt', 'r-17');
      return { ok: true, accessToken: 'secret' };
    },
  });
  @agent({ name: 'clerk', description: '', tools: [pay] })
  class Clerk extends LlmAgent {}
  const logger = new ListLogger();
  const runner = await createRunner(Clerk, {
    model: new ScriptedModel(...steps),
    plugins: [...before, new LoggingPlugin({ logger, ...options })],
    config: { streaming },
  });
  const run = runner.run({ userId: 'ada', sessionId: 's1', message: 'Pay, please.' });
  const events = await eventsOf(run).catch(() => []);
  return { events, lines: logger.lines, log: JSON.stringify(logger.lines) };
}

afterEach(() => {
  jest.restoreAllMocks();
});
