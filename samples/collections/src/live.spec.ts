import { spawn } from 'node:child_process';
import { writeFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

const SAMPLE = resolve('samples/collections');
const SLOW = 60_000;

/** `adorn live` with the offline model. */
async function adornLive(...args: string[]): Promise<string> {
  const child = spawn(
    process.execPath,
    [resolve('packages/cli/bin/adorn.js'), 'live', '.', '--model', 'offline', ...args],
    { cwd: SAMPLE, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return output + errors;
}

const CALL = [
  '→ verify(accountId: "10020030", bornOn: "1985-12-10")',
  '← {result: true}',
  '→ agree(monthly: 60000)',
  '→ arrange(monthly: 60000)',
  '? 60000 cents a month?',
];

describe('adorn live', () => {
  it(
    'plays the call by text through all its phases',
    async () => {
      const output = await adornLive('--script', 'call.txt');

      expect(inOrder(output, [...CALL, '← {monthly: 60000, plan: "P-1"}'])).toEqual([]);
    },
    SLOW,
  );

  it(
    'plays the same call from a WAV file, with the words of its utterances',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'adorn-live-'));
      const wav = join(folder, 'call.wav');
      await writeFile(wav, wavOf(3));
      try {
        expect(inOrder(await adornLive('--wav', wav, '--words', 'call.txt'), CALL)).toEqual([]);
      } finally {
        await rm(folder, { recursive: true });
      }
    },
    SLOW,
  );
});

/** The lines that do not follow in the output upon those before them. */
function inOrder(output: string, lines: readonly string[]): string[] {
  let from = 0;
  return lines.filter((line) => {
    const at = output.indexOf(line, from);
    from = Math.max(from, at);
    return at < 0;
  });
}

/** Utterances of 0.4 s, each followed by 1 s of silence: PCM16, mono, 8,000 samples per second. */
function wavOf(utterances: number): Buffer {
  const samples = Array.from({ length: utterances }, () => [
    ...Array.from({ length: 3_200 }, (_, at) => Math.round(8_000 * Math.sin(at / 4))),
    ...Array.from({ length: 8_000 }, () => 0),
  ]).flat();
  const data = Buffer.from(Int16Array.from(samples).buffer);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8_000, 24);
  head.writeUInt32LE(16_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}
