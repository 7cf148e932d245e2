/** How to reach an S3-compatible service. The SDK finds missing options as usual. */
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
