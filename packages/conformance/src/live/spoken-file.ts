import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Samples per second of the file: neither wire hears it so. */
const RATE = 8_000;

/** Calls `use` with the path of a WAV file of PCM16, mono: a tone of so many seconds, which is no silence. */
export async function withSpokenFile(seconds: number, use: (path: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'adorn-spoken-'));
  try {
    const path = join(folder, 'speech.wav');
    await writeFile(path, wavOf(seconds));
    await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function wavOf(seconds: number): Buffer {
  const samples = Int16Array.from({ length: RATE * seconds }, (_, at) => 8_000 * Math.sin(at / 4));
  const data = Buffer.from(samples.buffer);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(RATE, 24);
  head.writeUInt32LE(2 * RATE, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}
