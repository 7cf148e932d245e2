import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { S3ContentStore, type S3ContentStoreOptions } from './s3-content-store.js';

interface Server {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}

type ServerClass = new (options: object) => Server;

/** A server that speaks S3, in this process, with one bucket of a spec's own. */
export function useS3Server(): {
  readonly options: (bucket?: string) => S3ContentStoreOptions;
  readonly folder: string;
} {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-s3-'));
  let server: Server;
  let port = 0;
  beforeAll(async () => {
    const S3rver = createRequire(import.meta.url)('s3rver') as ServerClass;
    server = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: folder,
      configureBuckets: [{ name: 'files' }],
    });
    ({ port } = await server.run());
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });
  const options = (bucket = 'files'): S3ContentStoreOptions => ({
    bucket,
    endpoint: `http://127.0.0.1:${String(port)}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    forcePathStyle: true,
  });
  return { options, folder };
}

/** A store that holds nothing yet. */
export function emptyStore(options: S3ContentStoreOptions): S3ContentStore {
  return new S3ContentStore({ ...options, prefix: `${String(count++)}/` });
}

let count = 0;
