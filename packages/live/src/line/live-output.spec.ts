import { ManualClock } from '@adorn/testing';

import { Event } from '@adorn/core';
import { LiveOutput } from './live-output.js';

const DONE = { done: true, value: undefined };

/** More than may wait for one reader. */
const TOO_MANY = 20_001;

describe('the output of a live session', () => {
  it('gives its events in their order, to a reader that comes later and to one that waits', async () => {
    const output = new LiveOutput(new ManualClock());
    output.push(eventOf('a'));
    output.push(eventOf('b'));

    expect(await textsOf(output, 2)).toEqual(['a', 'b']);

    const waiting = [output.next(), output.next()];
    output.push(eventOf('c'));
    output.push(eventOf('d'));
    const taken = await Promise.all(waiting);

    expect(taken.map(({ value }) => value?.text)).toEqual(['c', 'd']);
  });

  it('ends for those who wait, and for those who come after what is left was read', async () => {
    const output = new LiveOutput(new ManualClock());
    const waiting = output.next();
    output.end();

    await expect(waiting).resolves.toEqual(DONE);

    const unread = new LiveOutput(new ManualClock());
    unread.push(eventOf('a'));
    unread.end();
    unread.push(eventOf('b'));

    expect(await textsOf(unread, 1)).toEqual(['a']);
    await expect(unread.next()).resolves.toEqual(DONE);
  });

  it('drops the speech that was not taken, and keeps the rest', async () => {
    const output = new LiveOutput(new ManualClock());
    output.push(eventOf('a'));
    output.push(eventOf('speech'), 20);
    output.push(eventOf('b'));
    output.dropAudio();

    expect(await textsOf(output, 2)).toEqual(['a', 'b']);
  });

  it('keeps nothing for a session that is only awaited', async () => {
    const output = new LiveOutput(new ManualClock());
    output.push(eventOf('a'));
    output.detach();
    output.push(eventOf('b'));
    output.end();

    await expect(output.next()).resolves.toEqual(DONE);
  });

  it('keeps all for a reader that has begun, also where the session is awaited', async () => {
    const output = new LiveOutput(new ManualClock());
    output.push(eventOf('a'));
    output.push(eventOf('b'));

    expect(await textsOf(output, 1)).toEqual(['a']);

    output.detach();
    output.push(eventOf('c'));

    expect(await textsOf(output, 2)).toEqual(['b', 'c']);
  });

  it('keeps pieces for a reader that has not begun up to a number, and whole events beyond it', async () => {
    const output = new LiveOutput(new ManualClock());
    for (let count = 0; count < TOO_MANY; count++) output.push(PIECE);
    output.push(PIECE);
    output.push(eventOf('whole'));

    expect(output.isOverfull).toBe(false);
    for (let count = 0; count < TOO_MANY; count++)
      await expect(output.next()).resolves.toEqual(takenOf(PIECE));
    expect(await textsOf(output, 1)).toEqual(['whole']);
  });

  it('is overfull when a reader that has begun leaves too much', async () => {
    const output = new LiveOutput(new ManualClock());
    output.push(PIECE);
    await output.next();
    for (let count = 0; count < TOO_MANY - 1; count++) output.push(PIECE);

    expect(output.isOverfull).toBe(false);

    output.push(PIECE);

    expect(output.isOverfull).toBe(true);
  });
});

describe('what of an answer can have been heard', () => {
  it('is nothing before speech was taken', async () => {
    const clock = new ManualClock();
    const output = new LiveOutput(clock);
    output.push(eventOf('words'));
    output.push(eventOf('speech'), 300);
    await output.next();
    await clock.advance(50);

    expect(output.playedMs).toBe(0);
  });

  it('is the time since the first piece was taken, and at most the length of what was taken', async () => {
    const clock = new ManualClock();
    const output = new LiveOutput(clock);
    output.push(eventOf('speech'), 100);
    output.push(eventOf('speech'), 200);
    await output.next();
    await clock.advance(60);

    expect(output.playedMs).toBeCloseTo(60);

    await output.next();
    await clock.advance(200);

    expect(output.playedMs).toBeCloseTo(260);

    await clock.advance(5_000);

    expect(output.playedMs).toBe(300);
  });

  it('is not counted from other events that were taken before', async () => {
    const clock = new ManualClock();
    const output = new LiveOutput(clock);
    output.push(eventOf('words'));
    output.push(eventOf('speech'), 300);
    await output.next();
    await clock.advance(1_000);
    await output.next();
    await clock.advance(50);

    expect(output.playedMs).toBeCloseTo(50);
  });

  it('counts a piece that a waiting reader gets at once', async () => {
    const clock = new ManualClock();
    const output = new LiveOutput(clock);
    const waiting = output.next();
    output.push(eventOf('speech'), 100);
    await waiting;
    await clock.advance(1_000);

    expect(output.playedMs).toBe(100);
  });

  it('begins anew with another answer', async () => {
    const clock = new ManualClock();
    const output = new LiveOutput(clock);
    output.push(eventOf('speech'), 100);
    await output.next();
    await clock.advance(1_000);
    output.beginAnswer();

    expect(output.playedMs).toBe(0);

    output.push(eventOf('speech'), 100);
    await output.next();
    await clock.advance(40);

    expect(output.playedMs).toBeCloseTo(40);
  });
});

function eventOf(text: string): Event {
  return new Event({ invocationId: 'e-1', author: 'clerk', content: { role: 'model', parts: [{ text }] } });
}

const PIECE = new Event({ invocationId: 'e-1', author: 'clerk', partial: true });

function takenOf(value: Event): { done: boolean; value: Event } {
  return { done: false, value };
}

async function textsOf(output: LiveOutput, count: number): Promise<(string | undefined)[]> {
  const texts: (string | undefined)[] = [];
  for (let read = 0; read < count; read++) texts.push((await output.next()).value?.text);
  return texts;
}
