import type * as S3 from '@aws-sdk/client-s3';

import { S3ClientMissingError } from '../../errors/errors.js';

/** The connection to an S3-compatible service. Missing options are resolved by the SDK as usual. */
export interface S3Connection {
  /** The URL of a service other than Amazon's. */
  readonly endpoint?: string;
  readonly region?: string;
  readonly credentials?: S3Credentials | (() => Promise<S3Credentials>);
  /** True if the bucket is part of the path instead of the host name. */
  readonly forcePathStyle?: boolean;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** A client of `@aws-sdk/client-s3`. Declared here, so that applications without S3 do not need its types. */
export interface S3ClientLike {
  send(command: never): Promise<unknown>;
}

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
