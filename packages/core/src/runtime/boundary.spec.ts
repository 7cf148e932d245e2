import { EventEmitter } from 'node:events';

import { Boundary } from './boundary.js';

describe('Boundary', () => {
  it('ends what it stands for with the first failure of a listener, and no emitter hears of it', async () => {
    const failures: unknown[] = [];
    const boundary = new Boundary((error) => failures.push(error));
    const emitter = new EventEmitter();
    const late = Promise.reject(new Error('late'));
    emitter.on(
      'message',
      boundary.guard((text: string) => JSON.parse(text) as unknown),
    );
    emitter.on(
      'close',
      boundary.guard(() => late),
    );

    emitter.emit('message', '}');
    emitter.emit('message', '}');
    emitter.emit('close');
    await new Promise((resolve) => setImmediate(resolve));

    expect(failures).toEqual([expect.any(SyntaxError)]);
  });

  it('takes a rejection of an asynchronous listener for a failure', async () => {
    const failed = new Promise((resolve) => {
      new Boundary(resolve).guard(async () => {
        throw new Error('late');
      })();
    });

    expect(await failed).toEqual(new Error('late'));
  });

  it('still calls listeners after a failure, with their arguments', () => {
    const seen: unknown[] = [];
    const boundary = new Boundary(() => undefined);
    boundary.fail(new Error('first'));

    boundary.guard((...args: unknown[]) => seen.push(args))(1, 2);

    expect(seen).toEqual([[1, 2]]);
  });

  it('drops what its own end throws', () => {
    const boundary = new Boundary(() => {
      throw new Error('again');
    });

    expect(() => {
      boundary.fail(new Error('first'));
    }).not.toThrow();
  });
});
