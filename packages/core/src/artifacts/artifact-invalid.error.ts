import { AdornError } from '../errors/adorn.error.js';

/** What should be kept as an artifact is no file: nothing was saved. */
export class ArtifactInvalidError extends AdornError {
  readonly code = 'ARTIFACT_INVALID';

  /** @param problem what is wrong with it, as the end of "The artifact …" */
  constructor(name: string, problem: string) {
    super(
      `The artifact "${shortened(name)}" ${problem}. Nothing was saved. ` +
        'Give { inlineData: { mimeType, data } } with data in base64, { text }, or { fileData: { fileUri } }.',
    );
  }
}

function shortened(name: string): string {
  return name.length <= 100 ? name : `${name.slice(0, 100)}…`;
}
