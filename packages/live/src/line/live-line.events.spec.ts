import { callsLive, cancelsCalls, drops, hears, isResumable, ScriptedLive } from '@adorn/testing';

import type { LiveEvent } from '@adorn/core/backend';
import type { LiveEventItem, LiveItem } from './live-line.js';
import { LineWorld, settled } from './live-line.fixture.js';

/** 250 ms of speech at 24,000 samples per second. */
const QUARTER: LiveEvent = { kind: 'audio', data: new Uint8Array(12_000) };

describe('the speech of the model', () => {
  it('is shown as it arrives, and is no item', async () => {
    const world = await LineWorld.connected();
    const data = new Uint8Array([9, 1, 2, 3, 4, 9]).subarray(1, 5);
    world.model.connection.emit({ kind: 'audio', data });
    await settled();

    expect(await world.items()).toEqual([]);
    const event = (await world.shown()).at(-1);
    expect(event).toMatchObject({ author: 'clerk', partial: true });
    expect(event?.content).toEqual({
      role: 'model',
      parts: [{ inlineData: { mimeType: 'audio/pcm;rate=24000', data: 'AQIDBA==' } }],
    });
  });

  it('is measured: each item says how much was spoken, and how much of it can have been heard', async () => {
    const world = await LineWorld.connected();
    world.model.connection.emit(QUARTER, QUARTER, { kind: 'outputTranscript', text: 'One' });
    await settled();
    for (let read = 0; read < 3; read++) await world.output.next();
    await world.clock.advance(125);
    world.model.connection.emit({ kind: 'outputTranscript', text: 'two' });
    await settled();
    world.line.beginAnswer();
    world.model.connection.emit({ kind: 'outputTranscript', text: 'three' });
    await settled();

    expect((await world.items()).map(timesOf)).toEqual([
      [500, 0],
      [500, 125],
      [0, 0],
    ]);
  });

  it('cancels the session if its reader leaves too much unread', async () => {
    const world = await LineWorld.connected();
    await world.output.next();
    for (let count = 0; count < 20_000; count++) world.line.notify({ kind: 'videoDropped', frames: 1 });
    world.model.connection.emit({ kind: 'outputTranscript', text: 'One' });
    await settled();
    expect(world.cancellation.isCancelled).toBe(false);
    world.model.connection.emit(QUARTER);
    await settled();

    expect(world.cancellation.isCancelled).toBe(true);
  });

  it('counts as spoken for the signals while it plays', async () => {
    const world = await LineWorld.connected();
    world.model.connection.emit(QUARTER);
    await settled();
    await world.clock.advance(249);
    expect(world.line.signals.isModelSpeaking).toBe(true);
    await world.clock.advance(1);

    expect(world.line.signals).toMatchObject({ isConnected: true, isModelSpeaking: false, elapsedMs: 250 });
  });
});

describe('an interruption', () => {
  it('of the user drops what was not played, in the tick in which it arrives, and is an item', async () => {
    const world = await LineWorld.connected();
    world.model.connection.emit(QUARTER, { kind: 'interrupted' });
    await settled();

    const [connected, shown, ...others] = await world.shown();
    expect([connected?.live?.kind, others]).toEqual(['connected', []]);
    expect(shown).toMatchObject({ author: 'clerk', partial: true, interrupted: true });
    expect(world.line.signals).toMatchObject({ interruptions: 1, isModelSpeaking: false });
    expect(await world.items()).toMatchObject([{ kind: 'event', event: { kind: 'interrupted' }, atMs: 250 }]);
  });

  it('says how much can have been heard', async () => {
    const world = await LineWorld.connected();
    world.model.connection.emit(QUARTER);
    await settled();
    await world.output.next();
    await world.output.next();
    await world.clock.advance(125);
    world.line.interrupt();

    expect(world.model.connection.sent).toEqual([{ kind: 'interrupt', playedMs: 125 }]);
    expect((await world.items()).map(timesOf)).toEqual([[250, 125]]);
  });

  it('of the application silences the rest of the answer, until the turn has ended', async () => {
    const world = await LineWorld.connected();
    const { connection } = world.model;
    connection.emit(QUARTER);
    await settled();
    world.line.interrupt();
    connection.emit(QUARTER, { kind: 'turnComplete' });
    await settled();
    const { isModelSpeaking } = world.line.signals;
    connection.emit(QUARTER);
    await settled();

    expect(isModelSpeaking).toBe(false);
    expect((await world.shown()).map(({ audio, interrupted }) => interrupted ?? audio !== undefined)).toEqual(
      [false, true, true],
    );
  });

  it('of the application silences nothing before the model speaks', async () => {
    const world = await LineWorld.connected();
    world.line.interrupt();
    world.model.connection.emit(QUARTER);
    await settled();

    expect((await world.shown()).at(-1)?.audio).toBeDefined();
  });

  it('does not silence the connection that follows', async () => {
    const world = await LineWorld.connected();
    world.model.connection.emit(QUARTER);
    await settled();
    world.line.interrupt();
    await world.connect(world.model);
    world.model.connection.emit(QUARTER);
    await settled();

    expect((await world.shown()).at(-1)?.audio).toBeDefined();
  });

  it('is not sent to a model that cannot be interrupted, and shown all the same', async () => {
    const world = await LineWorld.connected(ScriptedLive.able({ interrupts: false }));
    world.line.interrupt();

    expect(world.model.connection.sent).toEqual([]);
    expect((await world.shown()).at(-1)?.interrupted).toBe(true);
  });

  it('without a connection is an item', async () => {
    const world = await LineWorld.connected();
    world.model.connection.emit(drops());
    await settled();
    world.line.interrupt();

    expect((await world.items()).at(-1)).toMatchObject({ kind: 'event', event: { kind: 'interrupted' } });
  });

  it('before the first agent is not shown', async () => {
    const world = new LineWorld();
    world.line.interrupt();

    expect(await world.shown()).toEqual([]);
    expect(await world.items()).toMatchObject([{ kind: 'event', event: { kind: 'interrupted' } }]);
  });
});

describe('an event of a connection', () => {
  it.each<LiveEvent>([
    { kind: 'text', text: 'Yes.' },
    { kind: 'outputTranscript', text: 'Yes.' },
    { kind: 'generationComplete' },
    { kind: 'turnComplete' },
    { kind: 'speech', activity: 'start' },
    hears('Hello.'),
    callsLive('look', {}, 'c1'),
    cancelsCalls('c1'),
    isResumable('h1'),
  ])('is an item: $kind', async (event) => {
    const world = await LineWorld.connected();
    world.model.connection.emit(event);
    await settled();

    expect((await world.items()).map((item) => (item as LiveEventItem).event)).toEqual([event]);
  });

  it('says where the conversation was: the connection, its generation, and the handles so far', async () => {
    const world = await LineWorld.resumable();
    world.model.connection.emit({ kind: 'generationComplete' }, drops());
    await settled();
    await world.connect(world.model);
    world.model.connection.emit({ kind: 'generationComplete' });
    await settled();
    await world.connect(Object.assign(new ScriptedLive({ kind: 'generationComplete' }), { name: 'other' }));
    await settled();

    const events = (await world.items()).filter(({ kind }) => kind === 'event') as LiveEventItem[];
    expect(events.map(({ connection, generation, handles }) => [connection, generation, handles])).toEqual([
      [1, 1, 1],
      [1, 1, 1],
      [2, 1, 1],
      [3, 2, 1],
    ]);
  });

  it('without a handle leaves the newest one', async () => {
    const world = await LineWorld.resumable();
    world.model.connection.emit({ kind: 'resumption' });
    await settled();

    expect([world.line.resumptionHandle, world.line.handles]).toEqual(['h1', 1]);
    expect(world.line.signals.isResumable).toBe(true);
  });

  it('that cancels calls is passed on at once, also by a connection that was replaced', async () => {
    const world = await LineWorld.connected();
    const cancelled: unknown[] = [];
    world.line.onCancelled = (ids) => cancelled.push(ids);
    const [first] = world.model.connections;
    if (first) first.close = () => undefined;
    first?.emit(cancelsCalls('c1'));
    await settled();
    await world.connect(world.model);
    first?.emit(cancelsCalls('c2'), QUARTER, { kind: 'text', text: 'Late.' }, cancelsCalls('c3'), drops());
    await settled();

    expect(cancelled).toEqual([['c1'], ['c2'], ['c3']]);
    expect((await world.items()).map((item) => (item as LiveEventItem).event)).toEqual([cancelsCalls('c1')]);
    expect((await world.shown()).map(({ live }) => live?.kind)).toEqual(['connected', 'connected']);
  });

  it('that cancels calls disturbs nothing before an agent takes calls', async () => {
    const world = await LineWorld.connected();
    world.model.connection.emit(cancelsCalls('c1'));
    await settled();
    const [first] = world.model.connections;
    if (first) first.close = () => undefined;
    await world.connect(world.model);
    first?.emit(cancelsCalls('c2'));
    await settled();

    expect((await world.news()).map(({ kind }) => kind)).toEqual(['connected', 'connected']);
  });
});

function timesOf(item: LiveItem): [atMs: number, playedMs: number] {
  const { atMs, playedMs } = item as LiveEventItem;
  return [atMs, playedMs];
}
