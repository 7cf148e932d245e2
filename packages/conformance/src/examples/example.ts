import { setTimeout } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';

import type { Check } from '../check.js';
import { messageOf } from '../message-of.js';

/** An example program of a document that Adorn implements, written with Adorn, and what the document promises of it. */
export interface Example {
  /** Its name in the table. Its program stands between `// example: NAME` and `// end of example`. */
  readonly name: string;
  /** Lines of code in the document, without blank lines and comments; counted by hand. */
  readonly there: number;
  /** True if the lines in the document have the imports of the program: those of ours are counted, too. */
  readonly hasImports?: boolean;
  /** What is promised, and done in another way that a page describes. */
  readonly differs?: DocumentedDifference;
  /** Runs the program, and says one promise after another. */
  play(promise: Promised): Promise<void>;
}

export interface DocumentedDifference {
  readonly what: string;
  /** The page, below `packages`. */
  readonly page: string;
  /** Words of the page that say so. */
  readonly words: string;
}

/** The examples of one document. */
export interface ExampleDocument {
  /** The number and the name of the document, such as `003 multi-agent`. */
  readonly name: string;
  readonly examples: readonly Example[];
}

/** Checks one promise. The check fails if `look` throws, as `expect` does. */
export type Promised = (what: string, look: () => unknown) => void;

/** How many characters of a failure are told. */
const TOLD = 400;

/** Milliseconds after which an example has failed: it may wait for what never comes. */
const TIME_LIMIT = 45_000;

/** Plays an example. Each promise is one check; a program that breaks, or does not end, is one that failed. */
export async function playExample({ play }: Pick<Example, 'play'>, timeLimit = TIME_LIMIT): Promise<Check[]> {
  const checks: Check[] = [];
  const ended = new AbortController();
  const promise: Promised = (what, look) => {
    checks.push({ what, ...faultOf(look) });
  };
  try {
    await Promise.race([play(promise), failAfter(timeLimit, ended.signal)]);
    if (checks.length === 0) checks.push({ what: 'promises something', fault: 'nothing was checked' });
  } catch (error) {
    checks.push({ what: 'runs to its end', fault: tell(error) });
  } finally {
    ended.abort();
  }
  return checks;
}

async function failAfter(milliseconds: number, signal: AbortSignal): Promise<never> {
  await setTimeout(milliseconds, undefined, { signal });
  throw new Error(`It has not ended within ${String(milliseconds)} ms.`);
}

function faultOf(look: () => unknown): Pick<Check, 'fault'> {
  try {
    look();
    return {};
  } catch (error) {
    return { fault: tell(error) };
  }
}

function tell(error: unknown): string {
  return stripVTControlCharacters(messageOf(error)).replace(/\s+/g, ' ').trim().slice(0, TOLD);
}
