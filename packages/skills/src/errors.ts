import { AdornError } from '@adorn/core';

/** A folder is no skill, or what it says of itself is not as the format asks. */
export class SkillInvalidError extends AdornError {
  readonly code = 'SKILL_INVALID';

  /** @param folder the folder of the skill */
  constructor(
    readonly folder: string,
    fault: string,
    cure: string,
    options?: ErrorOptions,
  ) {
    super(`The skill in ${folder} cannot be used: ${fault}. ${cure}`, options);
  }
}

/** An option of `skills` does not exist or has an invalid value, or its folder holds no skill. */
export class SkillOptionError extends AdornError {
  readonly code = 'SKILL_OPTION_INVALID';

  constructor(fault: string, cure: string) {
    super(`skills: ${fault}. ${cure}`);
  }
}
