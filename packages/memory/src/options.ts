import { checkOptions, type OptionRules, rule, TEXT, wholeFrom } from '@adorn/core/backend';

/** The options of `workingMemory`. */
export interface WorkingMemoryOptions {
  /**
   * Names the profile among those of the application: the tool is `update_` and this name, and the keys of the state begin with
   * `user:`, this name and a dot. Small letters, digits and underscores. Default: `profile`.
   */
  readonly name?: string;
  /** Said to the model: what belongs into the profile, and when to change it. Default: a sentence that fits any profile. */
  readonly description?: string;
  /** The longest profile, in bytes of JSON: it is part of each request. Default: 4,096. */
  readonly maxBytes?: number;
}

const RULES: OptionRules<WorkingMemoryOptions> = {
  name: rule(
    (value) => typeof value === 'string' && /^[a-z][a-z0-9_]{0,49}$/.test(value),
    'Pass at most 50 small letters, digits and underscores, beginning with a letter, such as "profile".',
  ),
  description: TEXT,
  maxBytes: wholeFrom(1),
};

/** @throws {OptionInvalidError} */
export function checkMemoryOptions(options: WorkingMemoryOptions): void {
  checkOptions('workingMemory', options, RULES);
}
