import { jest } from '@jest/globals';

import { Channel } from './channel.js';

describe('Channel', () => {
  it('gives values in the order of the pushes, then its end for every further request', async () => {
    const channel = new Channel<string>();
    void write(channel, ['a', 'b']).then(() => {
      channel.end();
    });

    expect(await drained(channel)).toEqual(['a', 'b']);
    await expect(channel.next()).resolves.toEqual({ done: true, value: undefined });
  });

  it('lets a writer make a value when it is requested, and continue when the next one is', async () => {
    const channel = new Channel<string>();
    const log: string[] = [];
    void write(channel, ['a', 'b'], log);

    await settled();
    expect(log).toEqual([]);
    await channel.next();
    await settled();
    expect(log).toEqual(['a']);
    await channel.next();
    await settled();
    expect(log).toEqual(['a', 'b']);
  });

  it('lets several writers take turns, one for each request', async () => {
    const channel = new Channel<string>();
    const log: string[] = [];
    void write(channel, ['a1', 'a2'], log);
    void write(channel, ['b1', 'b2'], log);

    await channel.next();
    await settled();
    expect(log).toEqual(['a1']);
    for (let read = 1; read < 4; read++) await channel.next();
    expect([...log].sort()).toEqual(['a1', 'a2', 'b1', 'b2']);
  });

  it('answers requests that were made at once in their order', async () => {
    const channel = new Channel<string>();
    const reads = [channel.next(), channel.next()];
    void write(channel, ['a', 'b']);

    await expect(Promise.all(reads)).resolves.toEqual([
      { done: false, value: 'a' },
      { done: false, value: 'b' },
    ]);
  });

  it('gives one request to one writer, also while that writer still stores its value', async () => {
    const channel = new Channel<string>();
    const read = channel.next();
    await channel.turn();
    const second = jest.fn();
    void channel.turn().then(second);

    await settled();
    expect(second).not.toHaveBeenCalled();
    channel.push('a');
    await expect(read).resolves.toEqual({ done: false, value: 'a' });
  });

  it('waits for nobody without its bound, and keeps the values until they are read', async () => {
    const channel = new Channel<string>();
    const log: string[] = [];
    const writing = write(channel, ['a', 'b', 'c'], log);
    await channel.next();
    channel.unbind();
    await writing;

    expect(log).toEqual(['a', 'b', 'c']);
    expect(channel.size).toBe(2);
    channel.end();
    expect(await drained(channel)).toEqual(['b', 'c']);
  });

  it('throws an interruption at every writer that waits: for a turn, or for the next request', async () => {
    const channel = new Channel<string>();
    const failed: string[] = [];
    const watch = (name: string) => (error: Error) => {
      failed.push(`${name}: ${error.message}`);
    };
    void write(channel, ['a', 'b']).catch(watch('first'));
    await channel.next();
    void channel.requested().catch(watch('second'));
    void write(channel, ['c']).catch(watch('third'));
    await settled();
    channel.interrupt(new Error('stopped'));
    await settled();

    expect(failed.sort()).toEqual(['first: stopped', 'second: stopped', 'third: stopped']);
  });

  it('throws a refusal at the readers that wait, and serves later requests', async () => {
    const channel = new Channel<string>();
    const reading = channel.next();
    channel.refuse(new Error('no store'));

    await expect(reading).rejects.toThrow('no store');
    void write(channel, ['a']);
    await expect(channel.next()).resolves.toEqual({ done: false, value: 'a' });
  });

  it('ends with what its end gives, also for requests that wait', async () => {
    const channel = new Channel<string>();
    const reading = channel.next();
    channel.end(() => Promise.reject(new Error('broken')));

    await expect(reading).rejects.toThrow('broken');
  });

  it('drops unread values', async () => {
    const channel = new Channel<string>();
    channel.unbind();
    await write(channel, ['a', 'b']);
    channel.drop();
    channel.end();

    expect(await drained(channel)).toEqual([]);
  });

  it('is idle while writers wait for a request', async () => {
    const channel = new Channel<string>();

    expect(channel.isIdle).toBe(true);
    const reading = channel.next();
    expect([channel.isIdle, channel.hasReader]).toEqual([false, true]);
    void write(channel, ['a']);
    await reading;
    expect(channel.isIdle).toBe(true);
    channel.unbind();
    expect(channel.isIdle).toBe(false);
  });
});

/** Writes as a generator yields: each value is made when it is requested. */
async function write(channel: Channel<string>, values: readonly string[], log: string[] = []): Promise<void> {
  for (const value of values) {
    await channel.turn();
    log.push(value);
    channel.push(value);
    await channel.requested();
  }
}

async function drained(channel: Channel<string>): Promise<string[]> {
  const values: string[] = [];
  for (let step = await channel.next(); step.done !== true; step = await channel.next())
    values.push(step.value);
  return values;
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
