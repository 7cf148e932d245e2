import { AdornError } from '../errors/adorn.error.js';
import { optionFault, type Rule } from './option-values.js';

/**
 * Checks an options object by the rules of its options, and everything in it that has options of its own.
 *
 * @param owner the function or class that takes the options, such as `new GeminiModel`
 * @throws {OptionInvalidError}
 */
export function checkOptions(owner: string, options: unknown, rules: Readonly<Record<string, Rule>>): void {
  const found = optionFault(options, rules);
  if (found) throw new OptionInvalidError(owner, found.fault, found.cure);
}

/** An option does not exist, is missing, or has a value that cannot be used. Nothing was begun. */
export class OptionInvalidError extends AdornError {
  readonly code = 'OPTION_INVALID';

  /**
   * @param owner the function or class that takes the options
   * @param fault what is wrong, without its period
   * @param cure a sentence
   */
  constructor(owner: string, fault: string, cure: string) {
    super(`${owner}: ${fault}. ${cure}`);
  }
}
