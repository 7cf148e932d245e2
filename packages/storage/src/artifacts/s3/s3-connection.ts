/** How to reach a service that speaks S3. What is left out is found by the library, as it always does. */
export interface S3Connection {
  /** The service's URL, where it is not Amazon's. */
  readonly endpoint?: string;
  readonly region?: string;
  readonly credentials?: S3Credentials | (() => Promise<S3Credentials>);
  /** Whether the bucket stands in the path rather than in the host's name. */
  readonly forcePathStyle?: boolean;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** A client of `@aws-sdk/client-s3`. Spelled out, so that who has no S3 needs none of its types. */
export interface S3ClientLike {
  send(command: never): Promise<unknown>;
}
