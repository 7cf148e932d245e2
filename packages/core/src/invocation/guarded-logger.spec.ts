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
