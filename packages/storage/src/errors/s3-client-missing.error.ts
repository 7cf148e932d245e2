import { AdornError } from '@adorn/core';

/** Content is to be kept in S3, and its client is not installed. */
export class S3ClientMissingError extends AdornError {
  readonly code = 'STORAGE_UNAVAILABLE';

  constructor(place: string, cause: unknown) {
    super(
      `The content of artifacts at ${place} needs the package @aws-sdk/client-s3, which is not installed. ` +
        'Run `npm install @aws-sdk/client-s3`, or keep the content in files.',
      { cause },
    );
  }
}
