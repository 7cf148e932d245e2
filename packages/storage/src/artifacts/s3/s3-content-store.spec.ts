import type { Queries } from '../../database/database.js';
import { S3ContentStore } from './s3-content-store.js';
import { emptyStore, useS3Server } from './s3-server.fixture.js';

/** A bucket asks nothing of a transaction. */
const QUERIES = undefined as unknown as Queries;

describe('S3ContentStore', () => {
  const server = useS3Server();

  it('puts content under its prefix and its SHA-256, and finds it with another client', async () => {
    const address = await keep(new S3ContentStore({ ...server.options(), prefix: 'kept/' }), 'hello');

    const other = new S3ContentStore({ ...server.options(), prefix: 'kept/' });

    expect(address).toMatch(/^2cf24dba/);
    expect(await textOf(other, address)).toBe('hello');
    expect(await textOf(new S3ContentStore(server.options()), address)).toBeUndefined();
  });

  it('writes again what somebody deleted before a version referred to it', async () => {
    const store = emptyStore(server.options());
    const staged = await store.stage(inOnePiece('hello'));
    await store.delete(staged.address);

    await staged.keep(QUERIES);

    expect(await textOf(store, staged.address)).toBe('hello');
  });

  it('takes a client that is already there', async () => {
    const { S3Client } = await import('@aws-sdk/client-s3');
    const { bucket, ...connection } = server.options();
    const client = new S3Client({ ...connection, requestChecksumCalculation: 'WHEN_REQUIRED' });
    const store = new S3ContentStore({ bucket, prefix: 'client/', client });

    expect(await textOf(store, await keep(store, 'hello'))).toBe('hello');
  });

  it('that has no bucket says which one, and no secret', async () => {
    const store = new S3ContentStore(server.options('nowhere'));

    const refused = keep(store, 'hello');

    await expect(refused).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
      message: expect.stringContaining('s3://nowhere/'),
    });
    await expect(refused).rejects.not.toThrow(/S3RVER/);
  });

  it('that cannot be reached is STORAGE_UNAVAILABLE', async () => {
    const options = { ...server.options(), endpoint: 'http://127.0.0.1:9' };
    const store = new S3ContentStore(options);

    await expect(keep(store, 'hello')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    await expect(store.open('0'.repeat(64))).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });
});

async function keep(store: S3ContentStore, text: string): Promise<string> {
  const staged = await store.stage(inOnePiece(text));
  await staged.keep(QUERIES);
  await staged.release();
  return staged.address;
}

async function* inOnePiece(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function textOf(store: S3ContentStore, address: string): Promise<string | undefined> {
  const content = await store.open(address);
  if (content === undefined) return undefined;
  const found: Uint8Array[] = [];
  for await (const piece of content) found.push(piece);
  return Buffer.concat(found).toString();
}
