import type { Part } from '@adorn/core';
import { LiveRecording } from './live-recording.js';

describe('the recording of a live session', () => {
  it('has a file for each side of a turn, in order', async () => {
    const { recording, files } = recorded();
    recording.add('user', new Uint8Array([1, 0]), 16_000);
    recording.add('model', new Uint8Array([2, 0]), 24_000);
    recording.add('user', new Uint8Array([3, 0]), 16_000);
    recording.endTurn();
    recording.add('model', new Uint8Array([4, 0]), 24_000);
    await recording.saved();

    expect(files.map(({ name, sound }) => [name, [...sound]])).toEqual([
      ['0001-user.wav', [1, 0, 3, 0]],
      ['0002-model.wav', [2, 0]],
      ['0003-model.wav', [4, 0]],
    ]);
  });

  it('says in the head of a file what its sound is', async () => {
    const { recording, files } = recorded();
    recording.add('user', new Uint8Array([1, 0, 2, 0]), 44_100);
    await recording.saved();
    const [{ head, mimeType } = { head: Buffer.alloc(44), mimeType: '' }] = files;

    expect(mimeType).toBe('audio/wav');
    expect([
      head.toString('latin1', 0, 4),
      head.toString('latin1', 8, 16),
      head.toString('latin1', 36, 40),
    ]).toEqual(['RIFF', 'WAVEfmt ', 'data']);
    expect({
      size: head.readUInt32LE(4),
      sizeOfFormat: head.readUInt32LE(16),
      format: head.readUInt16LE(20),
      channels: head.readUInt16LE(22),
      samplesPerSecond: head.readUInt32LE(24),
      bytesPerSecond: head.readUInt32LE(28),
      bytesPerSample: head.readUInt16LE(32),
      bitsPerSample: head.readUInt16LE(34),
      bytes: head.readUInt32LE(40),
    }).toEqual({
      size: 40,
      sizeOfFormat: 16,
      format: 1,
      channels: 1,
      samplesPerSecond: 44_100,
      bytesPerSecond: 88_200,
      bytesPerSample: 2,
      bitsPerSample: 16,
      bytes: 4,
    });
  });

  it('begins another file in the middle of a turn after two million bytes', async () => {
    const { recording, files } = recorded();
    const half = new Uint8Array(1024 * 1024);
    for (let count = 0; count < 3; count++) recording.add('user', half, 16_000);
    await recording.saved();

    expect(files.map(({ sound }) => sound.length)).toEqual([2 * 1024 * 1024, 1024 * 1024]);
  });

  it('keeps what is said before the session has begun', async () => {
    const recording = new LiveRecording();
    recording.add('user', new Uint8Array([1, 0]), 16_000);
    recording.endTurn();
    await Promise.resolve();
    recording.add('model', new Uint8Array([2, 0]), 24_000);
    await recording.saved();
    const { files, save } = filesOf();
    recording.begin(save);
    recording.add('user', new Uint8Array([3, 0]), 16_000);
    await recording.saved();

    expect(files.map(({ name, sound }) => [name, ...sound])).toEqual([
      ['0001-user.wav', 1, 0],
      ['0002-model.wav', 2, 0],
      ['0003-user.wav', 3, 0],
    ]);
  });

  it('is of the rate at which a side was heard last, and has no file for a side that was silent', async () => {
    const { recording, files } = recorded();
    recording.add('user', new Uint8Array([1, 0]), 16_000);
    recording.add('user', new Uint8Array([2, 0]), 8_000);
    recording.add('model', new Uint8Array(0), 24_000);
    await recording.saved();

    expect(files.map(({ name, head }) => [name, head.readUInt32LE(24)])).toEqual([['0001-user.wav', 8_000]]);
  });

  it('is a copy, which the sender does not change any more', async () => {
    const { recording, files } = recorded();
    const chunk = new Uint8Array([1, 0]);
    recording.add('user', chunk, 16_000);
    chunk.fill(9);
    await recording.saved();

    expect(files.map(({ sound }) => [...sound])).toEqual([[1, 0]]);
  });

  it('saves one file after the other', async () => {
    const order: string[] = [];
    const recording = new LiveRecording();
    recording.begin(async (name) => {
      order.push(`${name} begins`);
      await new Promise(setImmediate);
      order.push(`${name} ends`);
    });
    recording.add('user', new Uint8Array([1, 0]), 16_000);
    recording.add('model', new Uint8Array([1, 0]), 24_000);
    await recording.saved();

    expect(order).toEqual([
      '0001-user.wav begins',
      '0001-user.wav ends',
      '0002-model.wav begins',
      '0002-model.wav ends',
    ]);
  });
});

interface SavedFile {
  readonly name: string;
  readonly mimeType: string | undefined;
  readonly head: Buffer;
  readonly sound: Buffer;
}

function recorded() {
  const recording = new LiveRecording();
  const { files, save } = filesOf();
  recording.begin(save);
  return { recording, files };
}

function filesOf() {
  const files: SavedFile[] = [];
  const save = (name: string, { inlineData }: Part): Promise<void> => {
    const data = Buffer.from(inlineData?.data ?? '', 'base64');
    const mimeType = inlineData?.mimeType;
    files.push({ name, mimeType, head: data.subarray(0, 44), sound: data.subarray(44) });
    return Promise.resolve();
  };
  return { files, save };
}
