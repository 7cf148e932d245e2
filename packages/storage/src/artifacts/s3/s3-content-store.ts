import {
  BOOLEAN,
  checkOptions,
  OBJECT,
  type OptionRules,
  required,
  rule,
  secret,
  TEXT,
} from '@adorn/core/backend';
import {
  ContentStore,
  eachInContents,
  inContents,
  isAddress,
  pathPartsOf,
  type StagedContent,
} from '../content-store.js';
import { Spool } from '../spool.js';
import { type LoadedS3, loadS3 } from './s3-client.js';
import type { S3ClientLike, S3Connection } from './s3-connection.js';

export interface S3ContentStoreOptions extends S3Connection {
  /** An existing bucket. */
  readonly bucket: string;
  /** The prefix of all object names, such as `artifacts/`. Default: none. */
  readonly prefix?: string;
  /** Your own client. Default: one that is created with the other options. */
  readonly client?: S3ClientLike;
}

const OPTIONS: OptionRules<S3ContentStoreOptions> = {
  bucket: required(TEXT),
  prefix: TEXT,
  client: OBJECT,
  endpoint: TEXT,
  region: TEXT,
  credentials: secret(
    rule(
      (value) => typeof value === 'function' || areCredentials(value),
      'Pass { accessKeyId, secretAccessKey, sessionToken? } with texts, or a function that returns them.',
    ),
  ),
  forcePathStyle: BOOLEAN,
};

/**
 * Stores content in a bucket of an S3-compatible service. Needs `@aws-sdk/client-s3`, which you install. A file is
 * buffered until its SHA-256 is known, and may have at most 5 GB.
 */
export class S3ContentStore extends ContentStore {
  readonly place: string;
  private readonly bucket: string;
  private readonly prefix: string;
  private readonly connection: S3Connection & { readonly client?: S3ClientLike };
  private loading: Promise<LoadedS3> | undefined;

  constructor(options: S3ContentStoreOptions) {
    super();
    checkOptions('new S3ContentStore', options, OPTIONS);
    const { bucket, prefix = '', ...connection } = options;
    this.bucket = bucket;
    this.prefix = prefix;
    this.connection = connection;
    this.place = `s3://${bucket}/${prefix}`;
  }

  /** Uploads the bytes before the transaction, which only verifies that they were not deleted since. */
  async stage(content: AsyncIterable<Uint8Array>): Promise<StagedContent> {
    const { spool, address } = await Spool.of(content, this.place);
    try {
      await this.keep(address, spool);
    } catch (error) {
      await spool.release();
      throw error;
    }
    return {
      address,
      size: spool.size,
      keep: () => this.keep(address, spool),
      release: () => spool.release(),
    };
  }

  async open(address: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const { library, client } = await this.load();
    const found = await this.unlessMissing(() =>
      client.send(new library.GetObjectCommand(this.object(address))),
    );
    if (!found?.Body) return undefined;
    return eachInContents(this.place, found.Body as AsyncIterable<Uint8Array>);
  }

  async delete(address: string): Promise<void> {
    const { library, client } = await this.load();
    await inContents(this.place, () => client.send(new library.DeleteObjectCommand(this.object(address))));
  }

  async *addresses(): AsyncGenerator<string> {
    const { library, client } = await this.load();
    const pages = library.paginateListObjectsV2({ client }, { Bucket: this.bucket, Prefix: this.prefix });
    for await (const { Contents = [] } of eachInContents(this.place, pages)) {
      const names = Contents.map(({ Key = '' }) => Key.slice(Key.lastIndexOf('/') + 1)).filter(isAddress);
      yield* names;
    }
  }

  /**
   * Uploads an object unless it exists: an existing one has the same bytes, also if two processes upload it
   * concurrently.
   */
  private async keep(address: string, spool: Spool): Promise<void> {
    const { library, client } = await this.load();
    const object = this.object(address);
    const kept = await this.unlessMissing(() => client.send(new library.HeadObjectCommand(object)));
    if (kept) return;
    const upload = { ...object, ContentLength: spool.size, Body: spool.body() };
    await inContents(this.place, () => client.send(new library.PutObjectCommand(upload)));
  }

  private async unlessMissing<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
    return inContents(this.place, () =>
      ask().catch((error: unknown) => {
        if (isMissing(error)) return undefined;
        throw error;
      }),
    );
  }

  private object(address: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.bucket, Key: `${this.prefix}${pathPartsOf(address).join('/')}` };
  }

  private load(): Promise<LoadedS3> {
    this.loading ??= loadS3(this.place, this.connection).catch((error: unknown) => {
      this.loading = undefined;
      throw error;
    });
    return this.loading;
  }
}

/** True for a missing object. A missing bucket is a fault. */
function isMissing(error: unknown): boolean {
  return ['NoSuchKey', 'NotFound'].includes((error as { name?: string }).name ?? '');
}

/** True for credentials, also for those of the SDK, which have more fields. */
function areCredentials(value: unknown): boolean {
  const { accessKeyId, secretAccessKey, sessionToken = '' } = Object(value) as Record<string, unknown>;
  return [accessKeyId, secretAccessKey, sessionToken].every((text) => typeof text === 'string');
}
