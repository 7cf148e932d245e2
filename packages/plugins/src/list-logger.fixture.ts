import { Logger } from '@adorn/core';
import type { LogFacts } from '@adorn/core/backend';

/** A line of a log: its level, its message and its facts. */
export type Line = [level: string, message: string, facts: LogFacts];

/** Keeps every line. */
export class ListLogger extends Logger {
  readonly lines: Line[] = [];

  debug(message: string, facts: LogFacts = {}): void {
    this.lines.push(['debug', message, facts]);
  }

  info(message: string, facts: LogFacts = {}): void {
    this.lines.push(['info', message, facts]);
  }

  warn(message: string, facts: LogFacts = {}): void {
    this.lines.push(['warn', message, facts]);
  }

  error(message: string, facts: LogFacts = {}): void {
    this.lines.push(['error', message, facts]);
  }
}
