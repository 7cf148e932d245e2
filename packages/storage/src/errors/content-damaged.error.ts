import { AdornError } from '@adorn/core';

/** The bytes of an artifact are not there any more, or are not the ones that were saved. */
export class ContentDamagedError extends AdornError {
  readonly code = 'ARTIFACT_DAMAGED';

  /** @param problem what is wrong, as the end of "The content … of <place>" */
  constructor(place: string, address: string, problem: string) {
    super(
      `The content ${address} of ${place} ${problem}. It was left as it is. ` +
        'Restore it from a backup, or save the artifact anew under another name.',
    );
  }
}
