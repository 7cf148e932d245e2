import { inspect } from 'node:util';
import { AdornError } from '@adorn/schema';
import { shareClass } from '../metadata/shared-class.js';

/** The logger of Adorn. Its own container identifier. */
export abstract class Logger {
  static {
    shareClass(this, 'Logger');
  }

  /** Details for the developer of an application. */
  abstract debug(message: string, facts?: LogFacts): void;
  /** A normal event that an operator may want to see. */
  abstract info(message: string, facts?: LogFacts): void;
  /** A fault that Adorn has handled, such as a toolset that cannot be listed. */
  abstract warn(message: string, facts?: LogFacts): void;
  /** A fault that needs a person. */
  abstract error(message: string, facts?: LogFacts): void;
}

/** Structured fields of a log message. Never contains credentials or texts of users or models. */
export type LogFacts = Readonly<Record<string, unknown>>;

/**
 * Warnings and errors on the console; the rest is dropped. Control characters, with which the text of a model could
 * steer a terminal, are escaped.
 */
export class ConsoleLogger extends Logger {
  debug(): void {
    // A level below what a console should show.
  }

  info(): void {
    // A level below what a console should show.
  }

  warn(message: string, facts: LogFacts = {}): void {
    console.warn(shown(message, inWords(facts)));
  }

  error(message: string, facts: LogFacts = {}): void {
    console.error(shown(message, facts));
  }
}

/** Facts whose errors with a code are one line: what happened is in their words, and the stack is that of this package. */
function inWords(facts: LogFacts): LogFacts {
  return Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [
      name,
      AdornError.is(fact) && !fact.cause ? lineOf(fact) : fact,
    ]),
  );
}

function lineOf({ code, message }: AdornError): string {
  return `${code}: ${message}`;
}

/** One text: the console would replace `%s` in the first of several. */
function shown(message: string, facts: LogFacts): string {
  const line = `adorn: ${escaped(message, '')}`;
  return Object.keys(facts).length > 0 ? `${line} ${escaped(inspect(facts), '\n\t')}` : line;
}

/** Control characters and those that change the direction of text, as escape sequences of JavaScript. */
function escaped(text: string, kept: string): string {
  return text.replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (character) =>
    kept.includes(character) ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
