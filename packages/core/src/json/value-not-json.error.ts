import { AdornError } from '../errors/adorn.error.js';

/** JSON cannot hold a tool's result or a value for the state, or it is nested too deeply. The model is told in place of the result. */
export class ValueNotJsonError extends AdornError {
  readonly code = 'RESULT_NOT_JSON';

  /** What the value holds, and where, such as `a bigint at rows.1.id`. */
  readonly found: string;

  /** @param steps the names and indexes that lead to it */
  constructor(kind: string, steps: readonly (string | number)[]) {
    const found = steps.length === 0 ? kind : `${kind} at ${steps.join('.').slice(0, 200)}`;
    super(
      `The value holds ${found}, which JSON cannot hold. ` +
        'Give plain values: write a bigint as a string, a Map as an object, and leave out functions and back references.',
    );
    this.found = found;
  }
}
