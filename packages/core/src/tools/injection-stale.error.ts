import { AdornError } from '../errors/adorn.error.js';

/** The code and its record do not agree on which parameters `@inject` fills. */
export class InjectionStaleError extends AdornError {
  readonly code = 'SCHEMA_STALE';

  /** @param index of the parameter, from 0 */
  constructor(className: string, method: string, index: number, isInjected: boolean) {
    const [yes, no] = isInjected ? ['the code', 'its record'] : ['its record', 'the code'];
    super(
      `Parameter ${String(index + 1)} of ${className}.${method} is filled by @inject in ${yes} and not in ${no}. ` +
        'Import inject from adorn, and run "adorn build" again after the compiler.',
    );
  }
}
