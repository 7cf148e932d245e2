import { Event } from '@adorn/core';
import type { AgentContext } from '@adorn/core/backend';

import type { Memory } from './live-memory.js';
import { observeTurn } from './observe-turn.js';
import type { DeclaredWatch } from './phase.decorator.js';
import {
  changed,
  failures,
  type Observation,
  rate,
  sustained,
  turns,
  type WatchPredicate,
} from './watch-predicates.js';

describe('the watchers of a turn', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'], now: 1_000_000 });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('compare a key with its value at the end of the turn before', () => {
    const conversation = conversationOf(watchOf(changed(), { key: 'mood' }));

    expect(conversation.turn({ mood: 1 })).toEqual(['watched']);
    expect(conversation.turn({ mood: 1 })).toEqual([]);
    expect(conversation.turn({})).toEqual(['watched']);
    expect(conversation.memory.seen).toEqual({ mood: null });
  });

  it('of a condition remember no value', () => {
    const conversation = conversationOf(watchOf(sustained(({ isCross }) => isCross === true, 0)));

    expect(conversation.turn({ isCross: true })).toEqual(['watched']);
    expect(conversation.memory).toMatchObject({
      seen: {},
      since: { watched: 1_000 },
      fired: { watched: 1_000 },
    });
    expect(Object.keys(conversation.memory.seen)).toEqual([]);
  });

  it('see how long their condition has held, if it holds, and what they have counted, if they count', () => {
    const seen: unknown[] = [];
    const isMet = ({ heldMs, counted, at }: Observation): boolean => {
      seen.push([heldMs, counted, at]);
      return false;
    };
    const conversation = conversationOf(watchOf({ isMet, condition: ({ isCross }) => isCross === true }));
    for (const isCross of [false, true, true]) {
      conversation.turn({ isCross });
      jest.advanceTimersByTime(2_000);
    }

    expect(seen).toEqual([
      [undefined, [], 1_000],
      [0, [], 1_002],
      [2_000, [], 1_004],
    ]);
  });

  it('see each time that a key changes, in the same moment too', () => {
    const conversation = conversationOf(watchOf(changed(), { key: 'mood' }));

    expect([1, 2, 3].map((mood) => conversation.turn({ mood }))).toEqual([
      ['watched'],
      ['watched'],
      ['watched'],
    ]);
  });

  it('are not called again before the end of their cooldown', () => {
    const conversation = conversationOf(watchOf(changed(), { key: 'mood', cooldown: '10s' }));
    const called: string[][] = [];
    for (let mood = 0; mood < 5; mood++) {
      called.push(conversation.turn({ mood }));
      jest.advanceTimersByTime(5_000);
    }

    expect(called.map(({ length }) => length)).toEqual([1, 0, 1, 0, 1]);
  });

  it('report a condition once while it holds, and again after it has not held', () => {
    const conversation = conversationOf(watchOf(sustained(({ isCross }) => isCross === true, '10s')));
    const called = [true, true, true, true, false, true, true, true].map((isCross) => {
      jest.advanceTimersByTime(5_000);
      return conversation.turn({ isCross }).length;
    });

    expect(called).toEqual([0, 0, 1, 0, 0, 0, 0, 1]);
  });

  it('report a condition that goes on holding again after its cooldown', () => {
    const conversation = conversationOf(
      watchOf(
        sustained(({ isCross }) => isCross === true, 0),
        { cooldown: '10s' },
      ),
    );
    const called = [0, 1, 2, 3, 4].map(() => {
      const { length } = conversation.turn({ isCross: true });
      jest.advanceTimersByTime(5_000);
      return length;
    });

    expect(called).toEqual([1, 0, 1, 0, 1]);
  });

  it('report a count once, though it grows, and again after it began anew', () => {
    const conversation = conversationOf(watchOf(turns(({ isCross }) => isCross === true, 2)));
    const called = [true, true, true, false, true, true].map((isCross) => {
      jest.advanceTimersByTime(1_000);
      return conversation.turn({ isCross }).length;
    });

    expect(called).toEqual([0, 1, 0, 0, 0, 1]);
  });

  it('count only what the turn has added', () => {
    const conversation = conversationOf(
      watchOf(
        rate(({ text }) => text === 'no', 2, '1h'),
        { method: 'refused' },
      ),
      watchOf(failures('look', 9), { method: 'failed' }),
    );
    conversation.turn({}, said('no'));
    conversation.turn({}, said('yes'), failed());

    expect(conversation.memory.counted).toEqual({ refused: [1_000], failed: [1] });

    conversation.turn({}, said('yes'), failed(), said('no'));

    expect(conversation.memory.counted).toEqual({ refused: [1_000, 1_000], failed: [2] });
  });

  it('count the last turn of a log that begins later than what was remembered', () => {
    const conversation = conversationOf(watchOf(failures('look', 9)));
    conversation.memory = { ...conversation.memory, last: 'gone' };
    conversation.turn({}, failed(), said('yes'), failed());

    expect(conversation.memory.counted).toEqual({ watched: [1] });
  });
});

/** A conversation whose turns end one after another. A turn gives the watchers that it has called. */
function conversationOf(...watches: readonly DeclaredWatch[]) {
  const events: Event[] = [];
  const conversation = {
    memory: { turn: 0, seen: {}, since: {}, fired: {}, history: [], told: [] } as Memory,
    turn: (state: Record<string, unknown>, ...added: readonly Event[]): string[] => {
      events.push(...added);
      const { met, memory } = observeTurn(watches, contextOf(state, events), conversation.memory);
      conversation.memory = { ...conversation.memory, ...memory };
      return met.map(({ method }) => method);
    },
  };
  return conversation;
}

function contextOf(values: Record<string, unknown>, events: readonly Event[]): AgentContext {
  const state = {
    get: (key: string) => values[key],
    has: (key: string) => values[key] !== undefined,
    entries: () => Object.entries(values),
  };
  return { state, events } as unknown as AgentContext;
}

function watchOf(
  predicate: WatchPredicate,
  {
    method = 'watched',
    key,
    ...options
  }: { readonly method?: string; readonly key?: string; readonly cooldown?: string } = {},
): DeclaredWatch {
  return { method, key, predicate, options };
}

function said(text: string): Event {
  const content = { role: 'user', parts: [{ text }] };
  return new Event({ invocationId: 'e-1', author: 'user', content });
}

function failed(): Event {
  const parts = [{ functionResponse: { id: 'c-1', name: 'look', response: { error: 'down' } } }];
  return new Event({ invocationId: 'e-1', author: 'desk', content: { role: 'user', parts } });
}
