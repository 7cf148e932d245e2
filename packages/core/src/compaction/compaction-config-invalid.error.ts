import { AdornError } from '../errors/adorn.error.js';

/** What a runner was told about compacting conversations cannot be followed. */
export class CompactionConfigInvalidError extends AdornError {
  readonly code = 'COMPACTION_CONFIG_INVALID';

  constructor(fault: string, cure: string) {
    super(`The compaction of conversations cannot work: ${fault}. ${cure}`);
  }
}
