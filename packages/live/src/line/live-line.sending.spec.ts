import { drops, ScriptedLive } from '@adorn/testing';

import type { Part } from '@adorn/core';
import type { LiveInputPiece } from '@adorn/core/backend';
import type { LiveItem } from './live-line.js';
import { LineWorld, settled } from './live-line.fixture.js';
import { LiveRecording } from './live-recording.js';

/** The most bytes that may wait in the connection while video is sent. */
const MOST_BUFFERED = 1024 * 1024;

const TEXT: LiveItem = {
  kind: 'text',
  content: { role: 'user', parts: [{ text: 'Hello.' }] },
  isOfUser: true,
  respond: true,
};

describe('what is sent on a live line without a connection', () => {
  it('follows in order when there is one: speech as it was then, and what is said about it', async () => {
    const world = new LineWorld();
    const { line } = world;
    const chunk = new Uint8Array([1, 2]);
    line.sendActivity('start');
    line.sendAudio(chunk);
    chunk.fill(9);
    line.sendActivity('end');
    line.endAudio();
    const model = new ScriptedLive();
    await world.connect(model);

    expect(model.connection.sent).toEqual([
      { kind: 'activity', activity: 'start' },
      { kind: 'audio', data: new Uint8Array([1, 2]) },
      { kind: 'activity', activity: 'end' },
      { kind: 'endAudio' },
    ]);
  });

  it('follows once, on the connection that replaces a lost one', async () => {
    const world = await LineWorld.connected();
    world.model.connection.emit(drops());
    await settled();
    world.line.sendAudio(new Uint8Array([1, 2]));
    await world.connect(world.model);
    await world.connect(world.model);

    expect(world.model.connections.map(({ sent }) => sent.map(({ kind }) => kind))).toEqual([
      [],
      ['audio', 'close'],
      [],
    ]);
  });

  it('is dropped if it is a frame of video, a text or a response', async () => {
    const world = new LineWorld();
    const { line } = world;
    line.sendVideo(new Uint8Array(2), 'image/png');
    line.sendContents([{ role: 'user', parts: [{ text: 'Hello.' }] }], true);
    line.sendToolResponses([{ id: 'c1', name: 'look', response: {} }]);
    const model = new ScriptedLive();
    await world.connect(model);

    expect(model.connection.sent).toEqual([]);
    expect(await world.news()).toMatchObject([{ kind: 'videoDropped', frames: 1 }, { kind: 'connected' }]);
  });
});

describe('what is sent on the connection of a live line', () => {
  it('is passed on in the tick of the call', async () => {
    const { line, model } = await LineWorld.connected();
    line.sendAudio(new Uint8Array([1, 2]));
    line.endAudio();
    line.sendVideo(new Uint8Array([3]), 'image/png');
    line.sendActivity('start');
    line.sendToolResponses([{ id: 'c1', name: 'look', response: { result: 1 } }]);
    line.sendContents([{ role: 'user', parts: [{ text: 'Hello.' }] }], false);

    expect(model.connection.sent).toEqual([
      { kind: 'audio', data: new Uint8Array([1, 2]) },
      { kind: 'endAudio' },
      { kind: 'video', data: new Uint8Array([3]), mimeType: 'image/png' },
      { kind: 'activity', activity: 'start' },
      { kind: 'response', response: { id: 'c1', name: 'look', response: { result: 1 } } },
      { kind: 'text', text: 'Hello.', respond: false },
    ]);
  });

  it('is heard by the tools that listen', async () => {
    const { line, model } = await LineWorld.connected();
    const heard = line.heard.listen(new AbortController().signal);
    line.sendAudio(new Uint8Array([1, 2]));
    line.sendVideo(new Uint8Array([3]), 'image/png');
    line.sendActivity('start');
    model.connection.emit({ kind: 'speech', activity: 'end' });
    await settled();

    expect(await piecesOf(heard, 4)).toEqual([
      { kind: 'audio', data: new Uint8Array([1, 2]) },
      { kind: 'video', data: new Uint8Array([3]), mimeType: 'image/png' },
      { kind: 'activity', activity: 'start' },
      { kind: 'activity', activity: 'end' },
    ]);
  });

  it.each([
    [MOST_BUFFERED, 1],
    [MOST_BUFFERED + 1, 0],
  ])('is a frame of video unless more than a megabyte waits: %p bytes', async (bufferedBytes, frames) => {
    const { line, model } = await LineWorld.connected();
    model.connection.bufferedBytes = bufferedBytes;
    line.sendVideo(new Uint8Array([3]), 'image/png');

    expect(model.connection.sent).toHaveLength(frames);
  });

  it.each([
    [0, []],
    [1, [1]],
    [2, [1, 1]],
    [4, [1, 3]],
  ])(
    'tells of %p dropped frames at the first, and of the others with the next that is sent',
    async (count, told) => {
      const world = await LineWorld.connected();
      const { line, model } = world;
      model.connection.bufferedBytes = MOST_BUFFERED + 1;
      for (let frame = 0; frame < count; frame++) line.sendVideo(new Uint8Array(1), 'image/png');
      model.connection.bufferedBytes = 0;
      line.sendVideo(new Uint8Array(1), 'image/png');
      line.sendVideo(new Uint8Array(1), 'image/png');

      const dropped = (await world.news()).filter(({ kind }) => kind === 'videoDropped');
      expect(dropped).toEqual(told.map((frames) => ({ kind: 'videoDropped', frames })));
      expect(model.connection.sent).toHaveLength(2);
    },
  );

  it('is nothing after the session has begun to end', async () => {
    const { line, model, output } = await LineWorld.connected();
    const pushed = jest.spyOn(output, 'push');
    line.recording = new LiveRecording();
    const add = jest.spyOn(line.recording, 'add');
    line.close();
    line.sendAudio(new Uint8Array(2));
    line.endAudio();
    line.sendVideo(new Uint8Array(1), 'image/png');
    line.sendActivity('start');
    line.interrupt();
    line.post(TEXT);

    expect(model.connection.sent).toEqual([]);
    expect([add.mock.calls, pushed.mock.calls]).toEqual([[], []]);
    expect(await line.next()).toEqual({ kind: 'close' });
  });
});

describe('the recording of a live line', () => {
  it('has the speech of both sides at their rates, a file for each turn', async () => {
    const world = new LineWorld();
    const files = recordedBy(world);
    world.line.sendAudio(new Uint8Array(4));
    const model = ScriptedLive.able({ inputRate: 8_000, outputRate: 48_000 });
    await world.connect(model);
    model.connection.emit({ kind: 'audio', data: new Uint8Array(8) }, { kind: 'turnComplete' });
    await settled();
    world.line.sendAudio(new Uint8Array(2));
    await world.line.recording?.saved();

    expect(files).toEqual([
      ['0001-user.wav', 16_000, 4],
      ['0002-model.wav', 48_000, 8],
      ['0003-user.wav', 8_000, 2],
    ]);
  });
});

describe('the control lane of a live line', () => {
  it('gives items in order, to an agent that waits, and to one that comes later', async () => {
    const { line } = new LineWorld();
    const waiting = line.next();
    line.post(TEXT);
    line.post({ kind: 'wake' });
    line.post({ kind: 'silence' });

    expect(await waiting).toBe(TEXT);
    expect([await line.next(), await line.next()]).toEqual([{ kind: 'wake' }, { kind: 'silence' }]);
  });

  it('gives what has arrived, and then the end, to every agent, after the session was closed', async () => {
    const { line } = new LineWorld();
    line.post(TEXT);
    line.close();
    line.close();

    expect(line.isClosing).toBe(true);
    expect([await line.next(), await line.next(), await line.next()]).toEqual([
      TEXT,
      { kind: 'close' },
      { kind: 'close' },
    ]);
  });

  it.each<[string, (world: LineWorld) => void]>([
    [
      'closed',
      ({ line }) => {
        line.close();
      },
    ],
    [
      'cancelled',
      ({ line }) => {
        line.cancelled();
      },
    ],
  ])(
    'ends for an agent that waits when the session is %s, and for the tools that listen',
    async (_what, end) => {
      const world = new LineWorld();
      const { line } = world;
      const heard = line.heard.listen(new AbortController().signal);
      const waiting = line.next();
      await settled();
      end(world);

      expect(await waiting).toEqual({ kind: 'close' });
      expect(line.isClosing).toBe(true);
      expect(await heard.next()).toEqual({ done: true, value: undefined });
    },
  );

  it('gives the end instead of what has arrived after a cancellation', async () => {
    const { line, cancellation } = new LineWorld();
    line.post(TEXT);
    cancellation.cancel();

    expect(await line.next()).toEqual({ kind: 'close' });
  });

  it('has no items for an agent of a run that was cancelled', async () => {
    const { line, cancellation } = new LineWorld();
    cancellation.cancel();

    expect(await line.next()).toEqual({ kind: 'close' });
  });
});

describe('a live line that hangs up', () => {
  it('closes its connection, ends what listens, and waits for nothing any more', async () => {
    const world = await LineWorld.connected(ScriptedLive.able({ staysSilent: true }));
    const { line, model, clock } = world;
    const heard = line.heard.listen(new AbortController().signal);
    model.connection.emit({ kind: 'goAway', timeLeftMs: 10_000 }, { kind: 'inputTranscript', text: 'Well.' });
    await settled();
    expect(clock.waiting).toBe(2);
    line.hangUp();

    expect(model.connection.isClosed).toBe(true);
    expect([line.isClosing, line.signals.isConnected, clock.waiting]).toEqual([true, false, 0]);
    expect(await heard.next()).toEqual({ done: true, value: undefined });
  });

  it('lets go of those who wait for a model that never came', async () => {
    const { line } = new LineWorld();
    line.hangUp();

    await expect(line.known).resolves.toBeUndefined();
    expect(line.capabilities).toBeUndefined();
  });
});

/** The files that are saved: their names, the rate in their heads, and their bytes of sound. */
function recordedBy({ line }: LineWorld): [name: string, rate: number, bytes: number][] {
  const files: [string, number, number][] = [];
  line.recording = new LiveRecording();
  line.recording.begin((name: string, { inlineData }: Part) => {
    const data = Buffer.from(inlineData?.data ?? '', 'base64');
    files.push([name, data.readUInt32LE(24), data.length - 44]);
    return Promise.resolve();
  });
  return files;
}

async function piecesOf(
  heard: AsyncIterator<LiveInputPiece, void, undefined>,
  count: number,
): Promise<(LiveInputPiece | undefined)[]> {
  const pieces: (LiveInputPiece | undefined)[] = [];
  for (let read = 0; read < count; read++) pieces.push((await heard.next()).value ?? undefined);
  return pieces;
}
