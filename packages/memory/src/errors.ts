import { AdornError } from '@adorn/core';

/** Fields of a profile do not fit its schema, or would make it too long. Nothing was written. */
export class ProfileInvalidError extends AdornError {
  readonly code = 'PROFILE_INVALID';

  /**
   * @param profile the name of the profile
   * @param problems a sentence for each, without its period
   */
  constructor(
    readonly profile: string,
    readonly problems: readonly string[],
  ) {
    super(`The profile "${profile}" was not changed: ${problems.join('; ')}. Correct these fields.`);
  }
}
