import { optionFault, type OptionRules, wholeFrom } from '@adorn/schema';

import { CompactionConfigInvalidError } from './events-compaction-config.js';

/** How long requests to models may be. */
export interface ContextOptions {
  /**
   * The context of the models in tokens, for request and answer together. Default: what is published for the name of the
   * model, or what a provider said when it refused a request.
   */
  readonly window?: number;
}

/** The smallest window that can be stated, in tokens. */
const SMALLEST = 1_000;

const OPTIONS: OptionRules<ContextOptions> = { window: wholeFrom(SMALLEST) };

/**
 * The option `context` of a runner; undefined if it is switched off.
 *
 * @throws {CompactionConfigInvalidError}
 */
export function contextOptions(stated: ContextOptions | false | undefined): ContextOptions | undefined {
  if (stated === false) return undefined;
  const found = optionFault(stated ?? {}, OPTIONS);
  if (found) throw new CompactionConfigInvalidError(`context: ${found.fault}`, found.cure);
  return stated ?? {};
}
