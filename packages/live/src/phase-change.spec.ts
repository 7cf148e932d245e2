import { agent } from '@adorn/core';

import { ANSWERS, talk, WRITE, writes } from './conversation.fixture.js';
import { computed, extract, LiveAgent, type LiveContext, phase, watch } from './index.js';

interface Caller {
  step?: string;
  heat?: number;
  'turn:said'?: string;
}

let seen: string[] = [];

function see(what: string) {
  return ({ phase: current }: LiveContext<Caller>): void => void seen.push(`${what} in ${current}`);
}

beforeEach(() => {
  seen = [];
});

@agent({ name: 'desk', tools: [WRITE] })
class Desk extends LiveAgent<Caller> {
  @phase<Caller>({ first: true, enter: see('enter opening'), exit: see('exit opening') })
  opening() {
    return 'Greet.';
  }

  @phase<Caller>({
    from: 'opening',
    when: ({ step }) => step === 'on',
    enter: see('enter helping'),
    exit: see('exit helping'),
  })
  helping() {
    return 'Help.';
  }

  @phase<Caller>({ when: ({ step }) => step === 'on', enter: see('enter other') })
  other() {
    return 'Ask.';
  }

  @phase<Caller>({ when: ({ step }) => step === 'bye', enter: see('enter closing'), last: true })
  closing() {
    return 'Say goodbye.';
  }

  @watch('step')
  go(live: LiveContext<Caller>) {
    const { step = '' } = live.state;
    if (step.startsWith('to ')) live.goTo(step.slice(3));
  }
}

describe('another phase', () => {
  it('begins when the first guard holds, in the order of the declarations, after the exit of the one before', async () => {
    const { state } = await talk(Desk, [writes('step', 'on')]);

    expect(seen).toEqual(['exit opening in opening', 'enter helping in helping']);
    expect(state).toMatchObject({
      phase: 'helping',
      live_memory: {
        history: [
          { phase: 'opening', turn: 1 },
          { phase: 'helping', turn: 1 },
        ],
      },
    });
  });

  it('begins only from those that it names, one in a turn, and not from itself', async () => {
    const { state } = await talk(Desk, [writes('step', 'on'), ANSWERS, ANSWERS]);

    expect(seen.slice(2)).toEqual(['exit helping in helping', 'enter other in other']);
    expect(state).toMatchObject({
      phase: 'other',
      live_memory: { history: [{}, {}, { phase: 'other', turn: 2 }] },
    });
  });

  it('does not begin after the last one', async () => {
    const { state } = await talk(Desk, [writes('step', 'bye'), writes('step', 'on')]);

    expect(state).toMatchObject({ phase: 'closing' });
    expect(seen).toEqual(['exit opening in opening', 'enter closing in closing']);
  });

  it('does not begin with a guard that gives anything but true', async () => {
    @agent({ name: 'desk' })
    class Truthy extends LiveAgent<Caller> {
      @phase<Caller>({ first: true })
      opening() {
        return 'Greet.';
      }

      @phase<Caller>({ when: () => 'yes' as unknown as boolean })
      helping() {
        return 'Help.';
      }

      @phase<Caller>()
      unguarded() {
        return 'Wait.';
      }
    }
    const { state } = await talk(Truthy, [ANSWERS]);

    expect(state).toMatchObject({ live_memory: { history: [{ phase: 'opening', turn: 1 }] } });
    expect(state).not.toHaveProperty('phase');
  });
});

@agent({ name: 'desk', tools: [WRITE] })
class Guarded extends LiveAgent<Caller> {
  @phase<Caller>({ first: true })
  opening() {
    return 'Greet.';
  }

  @phase<Caller>({ from: 'opening', when: ({ heat = 0 }) => heat > 0 })
  helping() {
    return 'Help.';
  }

  @phase<Caller>({
    from: { opening: ({ step }) => step === 'now', helping: ({ step }) => step === 'later' },
    when: ({ heat = 0 }) => heat < 9,
  })
  closing() {
    return 'Say goodbye.';
  }
}

describe('a guard for each phase from which another one is entered', () => {
  it.each([
    ['holds from its own phase', [writes('step', 'now')], 'closing'],
    ['does not hold from another one', [writes('step', 'later')], undefined],
    ['holds from the other one', [writes('heat', 1), writes('step', 'later')], 'closing'],
    ['does not hold from there', [writes('heat', 1), writes('step', 'now')], 'helping'],
    ['has to hold beside the guard of all', [writes('heat', 9), writes('step', 'later')], 'helping'],
  ])('%s', async (_what, script, expected) => {
    const { state } = await talk(Guarded, script);

    expect(state['phase']).toBe(expected);
  });

  it('makes a phase one that may follow, where it is named', async () => {
    const { instructions } = await talk(Guarded, [
      writes('heat', 1),
      ANSWERS,
      writes('step', 'later'),
      ANSWERS,
    ]);

    expect(instructions[0]).toContain('It may lead to: helping, closing.');
    expect(instructions.at(-1)).not.toContain('It may lead to');
  });
});

describe('goTo', () => {
  it('enters a phase at the end of the turn, whatever its guard, with the hooks of both', async () => {
    const { state, instructions } = await talk(Desk, [ANSWERS, writes('step', 'to other'), ANSWERS]);

    expect(seen).toEqual(['exit opening in opening', 'enter other in other']);
    expect(state).toMatchObject({
      phase: 'other',
      live_memory: {
        history: [
          { phase: 'opening', turn: 1 },
          { phase: 'other', turn: 2 },
        ],
      },
    });
    expect(instructions.at(-1)).toContain('Phase of the conversation: other.');
  });

  it('leaves the last phase, too', async () => {
    const { state } = await talk(Desk, [writes('step', 'to opening')], { phase: 'closing' });

    expect(state).toMatchObject({ phase: 'opening' });
    expect(seen).toEqual(['enter opening in opening']);
  });

  it('does nothing in the phase that it names', async () => {
    const { state } = await talk(Desk, [writes('step', 'to opening')]);

    expect(seen).toEqual([]);
    expect(state).toMatchObject({ live_memory: { history: [{ phase: 'opening', turn: 1 }] } });
  });

  it('is refused for a phase that does not exist, which is logged', async () => {
    const { state, logger } = await talk(Desk, [writes('step', 'to nowhere')]);

    expect(logger.lines).toEqual([
      failureOf(
        'go',
        "The live agent Desk cannot be used: goTo was called with the unknown phase 'nowhere'. Correct its decorators.",
      ),
    ]);
    expect(state).not.toHaveProperty('phase');
  });
});

describe('code of a live agent that throws', () => {
  const fail = (what: string) => (): never => {
    throw new Error(what);
  };

  @agent({ name: 'desk', tools: [WRITE] })
  class Failing extends LiveAgent<Caller> {
    @phase<Caller>({ first: true, exit: fail('no exit') })
    opening() {
      return 'Greet.';
    }

    @phase<Caller>({ when: fail('no guard') })
    never() {
      return '';
    }

    @phase<Caller>({ when: ({ step }) => step === 'on', enter: fail('no enter') })
    helping() {
      return 'Help.';
    }

    @computed('heat')
    heat({ step }: Caller) {
      return step === 'on' ? 1 : fail('no heat')();
    }

    @extract({ schema: { type: 'object', properties: { mood: {} } } })
    mood() {
      return fail('no question')();
    }

    @watch('step')
    watching() {
      fail('no watcher')();
    }
  }

  const noQuestion = ['warn', 'an extractor failed', { extractor: 'mood', error: 'no question' }];

  it('is logged with its name, and the turn goes on', async () => {
    const { logger, state } = await talk(Failing, [ANSWERS, writes('step', 'on')]);

    expect(logger.lines).toEqual([
      noQuestion,
      failureOf('computed', 'no heat'),
      failureOf('when of never', 'no guard'),
      noQuestion,
      failureOf('when of never', 'no guard'),
      failureOf('exit', 'no exit'),
      failureOf('enter', 'no enter'),
      failureOf('watching', 'no watcher'),
    ]);
    expect(state).toMatchObject({ phase: 'helping', heat: 1 });
  });

  it('is logged if it is told of a failed extractor, and fails too', async () => {
    @agent({ name: 'desk', tools: [WRITE] })
    class Told extends Failing {
      override onExtractError(error: unknown, extractor: string, live: LiveContext<Caller>) {
        seen.push(`${extractor}: ${(error as Error).message} in ${live.phase}`);
        throw new Error('no handler');
      }
    }
    const { logger } = await talk(Told, [ANSWERS]);

    expect(seen).toEqual(['mood: no question in opening']);
    expect(logger.lines.slice(0, 2)).toEqual([noQuestion, failureOf('onExtractError', 'no handler')]);
  });
});

describe('the end of a turn with another phase', () => {
  it('asks the extractors of phases, computes again, and removes what was of the turn', async () => {
    @agent({ name: 'desk', tools: [WRITE] })
    class Asking extends LiveAgent<Caller> {
      @phase<Caller>({ first: true })
      opening() {
        return 'Greet.';
      }

      @phase<Caller>({ when: (state) => state['turn:said'] === 'on', last: true })
      helping() {
        return 'Help.';
      }

      @extract({ schema: { type: 'object', properties: { mood: {} } }, every: 'phase' })
      mood({ phase: current }: LiveContext<Caller>) {
        seen.push(`asked in ${current}`);
      }

      @computed('heat')
      heat() {
        seen.push('computed');
        return 1;
      }
    }
    const { state } = await talk(Asking, [ANSWERS, writes('turn:said', 'on'), ANSWERS], { kept: 'x' });

    // The first time is when the runner is created: values that depend on themselves are refused.
    expect(seen).toEqual(['computed', 'computed', 'computed', 'asked in helping', 'computed', 'computed']);
    expect(state).toMatchObject({ heat: 1, kept: 'x' });
    expect(state).not.toHaveProperty(['turn:said']);
  });
});

function failureOf(what: string, error: string): unknown[] {
  return ['error', 'code at the end of a turn failed', { agent: 'desk', what, error }];
}
