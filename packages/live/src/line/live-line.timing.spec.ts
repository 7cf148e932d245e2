import { callsLive, cancelsCalls, goesAway, hears, isResumable, ScriptedLive, speaks } from '@adorn/testing';

import type { LiveEvent } from '@adorn/core/backend';
import type { LiveItem } from './live-line.js';
import { LineWorld, settled } from './live-line.fixture.js';

describe('the announcement that the connection will be closed', () => {
  it('is shown, is an item, and has the agent connect again two seconds before', async () => {
    const world = await LineWorld.connected();
    expect(world.line.isGoingAway).toBe(false);
    world.model.connection.emit(goesAway(10_000));
    await settled();
    expect(world.line.isGoingAway).toBe(true);
    expect(await world.line.next()).toMatchObject({
      kind: 'event',
      event: { kind: 'goAway', timeLeftMs: 10_000 },
    });
    let taken: LiveItem | undefined;
    void world.line.next().then((item) => (taken = item));
    await world.clock.advance(7_999);
    expect(taken).toBeUndefined();
    await world.clock.advance(1);

    expect(taken).toEqual({ kind: 'reconnect', connection: 1 });
    expect((await world.news()).at(-1)).toEqual({ kind: 'goAway', timeLeftMs: 10_000 });
  });

  it('has the agent connect again at once where less than two seconds are left', async () => {
    const world = await LineWorld.connected();
    world.model.connection.emit(goesAway(1_000));
    await settled();
    await world.clock.advance(0);

    expect((await world.items()).at(-1)).toEqual({ kind: 'reconnect', connection: 1 });
  });

  it('replaces the one before', async () => {
    const world = await LineWorld.connected();
    world.model.connection.emit(goesAway(10_000), goesAway(20_000));
    await settled();

    expect(world.clock.waiting).toBe(1);
    await world.clock.advance(10_000);
    expect((await world.items()).map(({ kind }) => kind)).toEqual(['event', 'event']);
  });

  it('is settled by another connection', async () => {
    const world = await LineWorld.connected();
    world.model.connection.emit(goesAway(10_000));
    await settled();
    await world.connect(world.model);

    expect([world.line.isGoingAway, world.clock.waiting]).toEqual([false, 0]);
    expect(world.line.signals.leftMs).toBeUndefined();
  });
});

describe('the silence of a model that may stay silent', () => {
  const SILENT = { staysSilent: true };

  it.each<[string, LiveEvent]>([
    ['words', { kind: 'inputTranscript', text: 'Well.' }],
    ['end of speech', { kind: 'speech', activity: 'end' }],
  ])('is an item two seconds after the last %s of the user', async (_what, event) => {
    const world = await LineWorld.connected(ScriptedLive.able(SILENT));
    world.model.connection.emit(event);
    await settled();
    await world.clock.advance(1_000);
    world.model.connection.emit(event);
    await settled();
    await world.clock.advance(1_999);
    const before = world.clock.waiting;
    await world.clock.advance(1);

    expect([before, world.clock.waiting]).toEqual([1, 0]);
    expect((await world.items()).map(({ kind }) => kind)).toEqual(['event', 'event', 'silence']);
  });

  it.each<LiveEvent>([
    { kind: 'audio', data: new Uint8Array(960) },
    { kind: 'text', text: 'Yes.' },
    { kind: 'outputTranscript', text: 'Yes.' },
    callsLive('look', {}, 'c1'),
    { kind: 'speech', activity: 'start' },
    { kind: 'turnComplete' },
  ])('is not waited for after an event $kind', async (event) => {
    const world = await LineWorld.connected(ScriptedLive.able(SILENT));
    world.model.connection.emit(hears('Well.'), event);
    await settled();

    expect(world.clock.waiting).toBe(0);
  });

  it.each<LiveEvent>([
    { kind: 'generationComplete' },
    { kind: 'usage', usage: {} },
    { kind: 'interrupted' },
    cancelsCalls('c1'),
    isResumable('h1'),
  ])('is waited for after an event $kind, which is no answer', async (event) => {
    const world = await LineWorld.connected(ScriptedLive.able(SILENT));
    world.model.connection.emit(hears('Well.'), event);
    await settled();

    expect(world.clock.waiting).toBe(1);
  });

  it('is not waited for before the user has said something, nor with a model that always answers', async () => {
    const silent = await LineWorld.connected(ScriptedLive.able(SILENT));
    silent.model.connection.emit(...speaks('Hello.'));
    const answering = await LineWorld.connected();
    answering.model.connection.emit(hears('Well.'));
    await settled();

    expect([silent.clock.waiting, answering.clock.waiting]).toEqual([0, 0]);
  });
});
