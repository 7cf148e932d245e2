import { inspect } from 'node:util';

import { RedactionPlugin } from '@adorn/plugins';
import { callsTool, says, ScriptedModel } from '@adorn/testing';

import { ContainerModule, createRunner, defineAgent, FunctionTool, type PendingRequest } from '../index.js';
import { Logger, type LogFacts } from '../runtime/logger.js';
import { GuardedLogger } from './invocation-services.js';

describe('GuardedLogger', () => {
  it('passes on what is logged', () => {
    const writer = new Writer(() => undefined);
    const logger = new GuardedLogger(writer);

    logger.debug('a', { one: 1 });
    logger.info('b');
    logger.warn('c', { error: new Error('m') });
    logger.error('d');

    expect(writer.lines).toEqual([
      ['debug', 'a', { one: 1 }],
      ['info', 'b'],
      ['warn', 'c', { error: new Error('m') }],
      ['error', 'd'],
    ]);
  });

  it('logs facts as text where the logger cannot take them', () => {
    const writer = new Writer((facts) => JSON.stringify(facts));
    const cycle: Record<string, unknown> = {};
    cycle['cycle'] = cycle;

    new GuardedLogger(writer).warn('failed', {
      callId: 'c1',
      error: Object.assign(new Error('m'), { cycle }),
    });

    expect(writer.lines).toEqual([['warn', 'failed', { callId: 'c1', error: 'Error: m' }]]);
  });

  it('throws nothing that the logger throws', () => {
    const logger = new GuardedLogger(
      new Writer(() => {
        throw new Error('the disk is full');
      }),
    );

    expect(() => {
      logger.warn('a', { error: 1 });
      logger.error('b');
    }).not.toThrow();
  });

  it('leaves no rejection of the logger unhandled', async () => {
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);

    new GuardedLogger(new Writer(() => Promise.reject(new Error('the disk is full')))).error('a');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);

    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe('the log of a runner', () => {
  it.each<[what: string, fault: () => unknown]>([
    ['the password of a URL', () => new Error('connect postgres://admin:hunter2@db')],
    ['the credential of another tool', () => new TypeError('no key-0123 here')],
    ['the client secret of the application', () => ({ request: { headers: ['client-4567'] } })],
    ['what a RedactionPlugin finds', () => new Error('card 4111 1111')],
  ])('has no secret, whatever logger is bound: %s', async (_what, fault) => {
    const writer = new Writer(() => undefined);
    const scheme = { type: 'apiKey', in: 'header', name: 'X-Key' } as const;
    const credential = { type: 'apiKey', apiKey: 'client-4567' } as const;
    const auth = { scheme, key: 'k' };
    const tool = (name: string, more: object, run: () => unknown) =>
      new FunctionTool({ name, description: name, ...more, run });
    const tools = [
      tool('keyed', { auth }, () => 'done'),
      tool('own', { auth: { ...auth, key: 'own', credential } }, () => 'done'),
      tool('fails', {}, () => {
        throw fault() as Error;
      }),
    ];
    const model = new ScriptedModel(callsTool('keyed'), callsTool('fails'), says('Done.'));
    const runner = await createRunner(defineAgent({ name: 'clerk', tools }), {
      model,
      modules: [new ContainerModule(({ bind }) => void bind(Logger).toConstantValue(writer))],
      plugins: [new RedactionPlugin({ patterns: [/4111 1111/] })],
    });
    await runner.run({ userId: 'ada', sessionId: 's', message: 'Go.' });
    const [request] = await runner.pending({ userId: 'ada', sessionId: 's' });
    await runner.supply(request as PendingRequest, 'key-0123');

    expect(writer.lines).toContainEqual(['warn', 'tool "fails" failed', expect.anything()]);
    expect(inspect(writer.lines, { depth: 9 })).not.toMatch(/hunter2|key-0123|client-4567|4111/);
  });
});

/** Keeps what it could write. */
class Writer extends Logger {
  readonly lines: unknown[][] = [];

  constructor(private readonly write: (facts?: LogFacts) => unknown) {
    super();
  }

  debug(...line: [string, LogFacts?]): void {
    this.add('debug', line);
  }

  info(...line: [string, LogFacts?]): void {
    this.add('info', line);
  }

  warn(...line: [string, LogFacts?]): void {
    this.add('warn', line);
  }

  error(...line: [string, LogFacts?]): undefined {
    return this.add('error', line) as undefined;
  }

  private add(level: string, [message, facts]: [string, LogFacts?]): unknown {
    const written = this.write(facts);
    this.lines.push(facts === undefined ? [level, message] : [level, message, facts]);
    return written;
  }
}
