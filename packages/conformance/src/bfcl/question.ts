import type { FunctionDocument } from './function-document.js';
import type { JsonObject } from './json-object.js';

/** What is asked, the functions that may be called for it, and the calls that answer it. */
export interface Question {
  readonly id: string;
  readonly message: string;
  readonly documents: readonly FunctionDocument[];
  /** The calls of each turn of the model; none where no function helps. */
  readonly turns: readonly (readonly StatedCall[])[];
}

/** A call as an answer states it: acceptable values by argument and function, or a line of Python. */
export type StatedCall = string | Readonly<Record<string, JsonObject>>;
