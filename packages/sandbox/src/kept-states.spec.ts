import { KeptStates } from './kept-states.js';

class State {
  isUsable = true;
  isTerminated = false;

  terminate(): void {
    this.isUsable = false;
    this.isTerminated = true;
  }
}

describe('states that are kept', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  const work = (state: State) => Promise.resolve(state);

  it('are used again by their id, and by no other', async () => {
    const states = new KeptStates<State>();
    const first = await states.use('a', () => new State(), work);

    expect(await states.use('a', () => new State(), work)).toBe(first);
    expect(await states.use('b', () => new State(), work)).not.toBe(first);
    expect(first.isTerminated).toBe(false);
    states.close();
    expect(first.isTerminated).toBe(true);
    expect(await states.use('a', () => new State(), work)).not.toBe(first);
    states.close();
  });

  it('are replaced once they cannot be used', async () => {
    const states = new KeptStates<State>();
    const first = await states.use('a', () => new State(), work);
    first.isUsable = false;
    const second = await states.use('a', () => new State(), work);
    await states.use(
      'a',
      () => new State(),
      async (state) => {
        state.isUsable = false;
        return Promise.resolve(state);
      },
    );

    expect(second).not.toBe(first);
    expect(await states.use('a', () => new State(), work)).not.toBe(second);
    states.close();
  });

  it('take turns: one execution of an id at a time, also after one that failed', async () => {
    const states = new KeptStates<State>();
    const order: string[] = [];
    const slow = (name: string, fails = false) =>
      states.use(
        'a',
        () => new State(),
        async () => {
          order.push(`${name} begins`);
          await new Promise((resolve) => setTimeout(resolve, 5));
          order.push(`${name} ends`);
          if (fails) throw new Error(name);
        },
      );
    const failed = slow('first', true);
    const second = slow('second');
    const other = states.use(
      'b',
      () => new State(),
      () => Promise.resolve(order.push('other')),
    );

    await expect(failed).rejects.toThrow('first');
    await Promise.all([second, other]);
    expect(order).toEqual(['first begins', 'other', 'first ends', 'second begins', 'second ends']);
    states.close();
  });

  it('are as many as the limit says: the one that waited longest ends, unless it is in use', async () => {
    const states = new KeptStates<State>(2);
    let release = (): void => undefined;
    const busy = new State();
    const running = states.use(
      'a',
      () => busy,
      () => new Promise<void>((resolve) => (release = resolve)),
    );
    await new Promise(setImmediate);
    const second = await states.use('b', () => new State(), work);
    const third = await states.use('c', () => new State(), work);

    expect([busy.isTerminated, second.isTerminated, third.isTerminated]).toEqual([false, true, false]);
    release();
    await running;
    expect([busy.isTerminated, third.isTerminated]).toEqual([false, false]);
    states.close();
  });

  it('are kept in the order of their last use', async () => {
    const states = new KeptStates<State>(2);
    const first = await states.use('a', () => new State(), work);
    const second = await states.use('b', () => new State(), work);
    await states.use('a', () => new State(), work);
    await states.use('c', () => new State(), work);

    expect([first.isTerminated, second.isTerminated]).toEqual([false, true]);
    states.close();
  });

  it('end when they were not used for their time, which begins anew with each use', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
    const states = new KeptStates<State>(16, 1_000);
    const state = await states.use('a', () => new State(), work);
    jest.advanceTimersByTime(999);
    await states.use('a', () => new State(), work);
    jest.advanceTimersByTime(999);
    expect(state.isTerminated).toBe(false);
    jest.advanceTimersByTime(1);
    expect(state.isTerminated).toBe(true);
  });
});
