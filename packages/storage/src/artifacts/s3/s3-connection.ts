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

/**
 * A client of `@aws-sdk/client-s3`. This file does not import the SDK, so that the published types work in applications
 * that do not install it.
 */
export interface S3ClientLike {
  send(command: never): Promise<unknown>;
}
