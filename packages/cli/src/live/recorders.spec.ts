import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findPlayer, findRecorder, RecorderFailedError, RecorderMissingError } from './recorders.js';

describe('the microphone and the loudspeaker of this machine', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'adorn-recorders-'))));
  afterEach(() => rm(folder, { recursive: true }));

  async function program(name: string, script: string): Promise<void> {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, name), 0o755);
  }

  it('takes the first recorder that is there, and cuts its output at samples', async () => {
    await program('sox', 'exit 1');
    const bare = findRecorder(folder);
    await program('arecord', 'printf abc; sleep 0.1; printf d; echo "$@" >&2');
    const found = findRecorder(folder);

    const chunks: string[] = [];
    await expect(async () => {
      for await (const chunk of found.record(8_000)) chunks.push(Buffer.from(chunk).toString());
    }).rejects.toThrow(
      /^arecord has stopped recording: .*-r 8000\. Check that this machine has a microphone/,
    );
    expect([bare.command, found.command, chunks.join('')]).toEqual(['sox', 'arecord', 'abcd']);
    expect(chunks.every(({ length }) => length % 2 === 0)).toBe(true);
  });

  it('says what to install if no recorder is there', () => {
    expect(() => findRecorder(folder)).toThrow(RecorderMissingError);
    expect(() => findRecorder(folder)).toThrow(
      /none of the programs arecord, rec, sox, ffmpeg is on the PATH/,
    );
    expect(new RecorderFailedError('rec', '').message).toMatch(/^rec has stopped recording\. Check/);
  });

  it('plays by the first player that is there, and by none if there is none', async () => {
    expect(findPlayer(folder)).toBeUndefined();
    await program('aplay', `cat > ${join(folder, 'heard')}; touch ${join(folder, 'done')}`);
    const player = findPlayer(folder);
    player?.play(Buffer.from('speech'), 24_000);

    for (let tries = 0; tries < 500; tries++) {
      const heard = await readFile(join(folder, 'heard'), 'utf8').catch(() => '');
      if (heard === 'speech') break;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    player?.stop();
    expect(await readFile(join(folder, 'heard'), 'utf8')).toBe('speech');
  });
});
