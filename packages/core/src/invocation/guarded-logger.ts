import { describeThrown } from '../errors/describe-thrown.js';
import { isPromiseLike } from '../runtime/awaitable.js';
import { type LogFacts, Logger } from '../runtime/logger.js';

/** The logger of an application as Adorn uses it: nothing that it throws or rejects with reaches a run. */
export class GuardedLogger extends Logger {
  constructor(private readonly logger: Logger) {
    super();
  }

  debug(message: string, facts?: LogFacts): void {
    this.write('debug', message, facts);
  }

  info(message: string, facts?: LogFacts): void {
    this.write('info', message, facts);
  }

  warn(message: string, facts?: LogFacts): void {
    this.write('warn', message, facts);
  }

  error(message: string, facts?: LogFacts): void {
    this.write('error', message, facts);
  }

  /** Facts that cannot be logged are logged as text; what cannot be logged even so is dropped. */
  private write(level: 'debug' | 'info' | 'warn' | 'error', message: string, facts?: LogFacts): void {
    if (!this.tryToWrite(level, message, facts) && facts !== undefined)
      this.tryToWrite(level, message, asTexts(facts));
  }

  private tryToWrite(level: 'debug' | 'info' | 'warn' | 'error', message: string, facts?: LogFacts): boolean {
    try {
      const write = this.logger[level].bind(this.logger) as (...line: unknown[]) => unknown;
      const written = facts === undefined ? write(message) : write(message, facts);
      if (isPromiseLike(written)) Promise.resolve(written).catch(() => undefined);
      return true;
    } catch {
      return false;
    }
  }
}

function asTexts(facts: LogFacts): LogFacts {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, asText(value)]));
}

function asText(value: unknown): unknown {
  if (typeof value !== 'object' && typeof value !== 'function') return value;
  const { name, message } = describeThrown(value);
  return `${name}: ${message}`;
}
