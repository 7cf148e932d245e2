import { jest } from '@jest/globals';

import { LiveEventQueue } from './live-event-queue.js';
import type { LiveEvent } from './live-event.js';

const CLOSED: LiveEvent = { kind: 'closed', clean: true };

describe('LiveEventQueue', () => {
  async function readAll(queue: LiveEventQueue): Promise<LiveEvent[]> {
    const events: LiveEvent[] = [];
    const iterator = queue.read(() => undefined);
    for (let step = await iterator.next(); step.done !== true; step = await iterator.next())
      events.push(step.value);
    return events;
  }

  it('keeps what came before its reader, and drops what comes after the end', async () => {
    const queue = new LiveEventQueue();
    queue.push({ kind: 'turnComplete' });
    queue.push(CLOSED);
    queue.push({ kind: 'turnComplete' });

    expect(queue.isOver).toBe(true);
    expect(await readAll(queue)).toEqual([{ kind: 'turnComplete' }, CLOSED]);
  });

  it('gives a reader that waits each event as it comes, and then the end', async () => {
    const queue = new LiveEventQueue();
    const reading = readAll(queue);
    await Promise.resolve();
    queue.push({ kind: 'interrupted' });
    queue.push(CLOSED);

    expect(await reading).toEqual([{ kind: 'interrupted' }, CLOSED]);
  });

  it('tells of a reader that stops', async () => {
    const stopped = jest.fn();

    expect(await new LiveEventQueue().read(stopped).return?.()).toEqual({ done: true, value: undefined });
    expect(stopped).toHaveBeenCalledTimes(1);
  });
});
