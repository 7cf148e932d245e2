import type { EventSink } from '../dispatch/tool-call.js';
import { Event } from '../events/event.js';
import { EventQueue } from './run-calls.js';

describe('EventQueue', () => {
  it('gives the events in their order and then the result', async () => {
    const queue = new EventQueue<string>();
    queue.run(async (sink) => {
      await Promise.all([sink.emit(event('a')), sink.emit(event('b'))]);
      await sink.emit(event('c'));
      return 'done';
    });

    await expect(drain(queue)).resolves.toEqual(['a', 'b', 'c']);
    expect(queue.result).toBe('done');
  });

  it('lets who emits wait until the event was taken', async () => {
    const log: string[] = [];
    const queue = new EventQueue<undefined>();
    queue.run(async (sink) => {
      for (const id of ['a', 'b']) {
        log.push(`${id} is made`);
        await sink.emit(event(id));
        log.push(`${id} was taken`);
      }
      return undefined;
    });

    await settled();
    expect(log).toEqual(['a is made']);
    await queue.next();
    await settled();
    expect(log).toEqual(['a is made', 'a was taken', 'b is made']);
    await expect(drain(queue)).resolves.toEqual(['b']);
    expect(log).toEqual(['a is made', 'a was taken', 'b is made', 'b was taken']);
  });

  it('gives what was emitted before the job ended, and nothing more', async () => {
    const queue = new EventQueue<string>();
    queue.run((sink) => {
      void sink.emit(event('a'));
      return Promise.resolve('done');
    });

    await settled();
    await expect(drain(queue)).resolves.toEqual(['a']);
    await expect(queue.next()).resolves.toBeUndefined();
    expect(queue.result).toBe('done');
  });

  it('throws what the job threw, after the events that came before it', async () => {
    const queue = new EventQueue<string>();
    queue.run(async (sink) => {
      await sink.emit(event('a'));
      throw new Error('broken');
    });

    await expect(drain(queue)).resolves.toEqual(['a']);
    expect(() => queue.result).toThrow(new Error('broken'));
  });

  it('keeps nobody waiting when it is closed: those who wait go on, and those who come are not held', async () => {
    const queue = new EventQueue<string>();
    const kept: { sink?: EventSink } = {};
    const job = new Promise<string>((resolve) => {
      queue.run(async (sink) => {
        kept.sink = sink;
        await sink.emit(event('a'));
        await sink.emit(event('b'));
        resolve('went on');
        return 'done';
      });
    });

    queue.close();

    await expect(job).resolves.toBe('went on');
    await expect(kept.sink?.emit(event('c'))).resolves.toBeUndefined();
  });

  it('swallows the failure of a job that nobody listens to', async () => {
    const queue = new EventQueue<string>();
    queue.run(() => Promise.reject(new Error('broken')));
    queue.close();

    await expect(settled()).resolves.toBeUndefined();
  });
});

function event(id: string): Event {
  return new Event({ id, invocationId: 'e-1', author: 'clerk' });
}

async function drain(queue: EventQueue<unknown>): Promise<string[]> {
  const ids: string[] = [];
  for (let next = await queue.next(); next !== undefined; next = await queue.next()) ids.push(next.id);
  return ids;
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
