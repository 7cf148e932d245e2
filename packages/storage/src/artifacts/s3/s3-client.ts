import type * as S3 from '@aws-sdk/client-s3';

import { S3ClientMissingError } from '../../errors/errors.js';
import type { S3ClientLike, S3Connection } from './s3-connection.js';

/** Time limits in milliseconds: to connect, and without data. */
const CONNECT = 5_000;
const SILENT = 30_000;

/** The library and the client. The library is loaded on first use. */
export interface LoadedS3 {
  readonly library: typeof S3;
  readonly client: S3.S3Client;
}

/** @throws {S3ClientMissingError} */
export async function loadS3(
  place: string,
  { client, ...connection }: S3Connection & { readonly client?: S3ClientLike },
): Promise<LoadedS3> {
  const library = await import('@aws-sdk/client-s3').catch((error: unknown) => {
    throw new S3ClientMissingError(place, error);
  });
  return {
    library,
    client: (client as S3.S3Client | undefined) ?? new library.S3Client(configOf(connection)),
  };
}

/**
 * Disables the newer checksums of S3, which not every service supports; content is verified when it is read. A
 * service that stops responding is abandoned, because a transaction may wait for it.
 */
function configOf(connection: S3Connection): S3.S3ClientConfig {
  return {
    ...connection,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT, socketTimeout: SILENT },
  };
}
