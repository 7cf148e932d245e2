import { createHash } from 'node:crypto';

import { expect, it } from '../test-runner.js';

import type { OpenArtifacts } from '../describe-artifact-service.js';
import { KEY } from '../sessions/conversation.js';

const PIECE = 65_536;
const TWENTY_MEGABYTES = 320;

/** Files saved as a stream and files saved at once are equal. */
export function promisesOfStreams(open: OpenArtifacts): void {
  it('gives a file of 20 MB that is saved in pieces back in pieces', async () => {
    const artifacts = await open();

    const version = await artifacts.saveStream(KEY, 'big.bin', {
      mimeType: 'video/mp4',
      content: pieces(TWENTY_MEGABYTES),
    });

    const saved = await artifacts.openStream(KEY, 'big.bin');
    expect(version).toBe(0);
    expect(saved).toMatchObject({ mimeType: 'video/mp4', size: PIECE * TWENTY_MEGABYTES });
    expect(await digestOf(saved?.content)).toBe(await digestOf(pieces(TWENTY_MEGABYTES)));
  });

  it('loads whole what was saved in pieces, and opens in pieces what was saved whole', async () => {
    const artifacts = await open();
    await artifacts.saveStream(KEY, 'a.txt', { mimeType: 'text/plain', content: pieces(2) });
    const whole = await artifacts.load(KEY, 'a.txt');
    expect(await artifacts.save(KEY, 'a.txt', whole ?? {})).toBe(1);

    const again = await artifacts.openStream(KEY, 'a.txt', 1);

    expect(whole?.inlineData?.mimeType).toBe('text/plain');
    expect(await digestOf(again?.content)).toBe(await digestOf(pieces(2)));
  });

  it('opens a text as UTF-8, a file of no bytes as such, and what is elsewhere or nowhere not at all', async () => {
    const artifacts = await open();
    await artifacts.save(KEY, 'text', { text: 'caf\u00e9' });
    await artifacts.saveStream(KEY, 'empty', { mimeType: 'text/plain', content: pieces(0) });
    await artifacts.save(KEY, 'elsewhere', { fileData: { mimeType: 'text/plain', fileUri: 'gs://b/a' } });

    const text = await artifacts.openStream(KEY, 'text');
    const empty = await artifacts.openStream(KEY, 'empty');

    expect(text).toMatchObject({ mimeType: 'text/plain', size: 5 });
    expect(await digestOf(text?.content)).toBe(await digestOf([Buffer.from('caf\u00e9')]));
    expect(empty).toMatchObject({ mimeType: 'text/plain', size: 0 });
    expect(await digestOf(empty?.content)).toBe(await digestOf([]));
    expect(await artifacts.openStream(KEY, 'elsewhere')).toBeUndefined();
    expect(await artifacts.openStream(KEY, 'nowhere')).toBeUndefined();
  });

  it('saves nothing of a stream that breaks off', async () => {
    const artifacts = await open();

    const broken = artifacts.saveStream(KEY, 'a.bin', { mimeType: 'text/plain', content: breaksOff() });

    await expect(broken).rejects.toThrow('The line went dead.');
    expect(await artifacts.list(KEY)).toEqual([]);
  });
}

async function* pieces(count: number): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index++) yield Buffer.alloc(PIECE, `piece ${String(index)}`);
}

async function* breaksOff(): AsyncGenerator<Uint8Array> {
  yield* pieces(1);
  throw new Error('The line went dead.');
}

async function digestOf(
  content?: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<string | undefined> {
  if (!content) return undefined;
  const hash = createHash('sha256');
  for await (const piece of content) hash.update(piece);
  return hash.digest('hex');
}
