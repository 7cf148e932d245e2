import { agent } from '@adorn/core';

import { ANSWERS, talk, WRITE, writes } from './conversation.fixture.js';
import { LiveAgent, type LiveContext, phase, watch } from './index.js';

interface Caller {
  step?: string;
  name?: string | null;
  account?: string;
  balance?: number;
  address?: object;
  'user:tone'?: string;
}

@agent({ name: 'desk', tools: [WRITE] })
class Desk extends LiveAgent<Caller> {
  override readonly context: readonly (keyof Caller)[] = ['name', 'balance', 'address', 'user:tone'];

  @phase<Caller>({ first: true, from: 'paying', needs: ['name', 'account'], context: ['account', 'name'] })
  opening() {
    return 'Greet.';
  }

  @phase<Caller>({ from: ['opening'], when: ({ step }) => step === 'checking' })
  checking({ state }: LiveContext<Caller>) {
    return `Check ${String(state.name)}.`;
  }

  @phase<Caller>({ from: ['opening', 'checking'], when: ({ step }) => step === 'paying' })
  paying() {
    return 'Take the money.';
  }

  @phase<Caller>({ when: ({ step }) => step === 'closing', last: true })
  closing() {
    return 'Say goodbye.';
  }

  @phase<Caller>()
  complaining() {
    return undefined;
  }
}

describe('the instruction that the model reads in a phase', () => {
  it('has the phase, the keys that are missing, the phases that may follow, and the context', async () => {
    const { instructions } = await talk(Desk, [ANSWERS], { name: 'Ada' });

    expect(instructions).toEqual([
      'Your name is "desk".\n\n' +
        'Greet.\n' +
        'Phase of the conversation: opening.\n' +
        'Still to be found out: account.\n' +
        'It may lead to: checking, paying, closing.\n\n' +
        '[Context: name=Ada]',
    ]);
  });

  it('names all the keys that are missing', async () => {
    const { instructions } = await talk(Desk, [ANSWERS]);

    expect(instructions[0]).toContain('\nStill to be found out: name, account.\n');
    expect(instructions[0]).not.toContain('Context');
  });

  it('has nothing of what does not apply', async () => {
    const { instructions } = await talk(Desk, [ANSWERS], { phase: 'paying' });

    expect(instructions[0]?.split('\n\n')[1]).toBe(
      'Take the money.\nPhase of the conversation: paying.\nIt may lead to: closing.',
    );
  });

  it('names no phase that may follow the last one', async () => {
    const { instructions } = await talk(Desk, [ANSWERS], { phase: 'closing' });

    expect(instructions[0]?.split('\n\n')[1]).toBe('Say goodbye.\nPhase of the conversation: closing.');
  });

  it('has no line for a phase without an instruction of its own', async () => {
    const { instructions } = await talk(Desk, [ANSWERS], { phase: 'complaining' });

    expect(instructions[0]?.split('\n\n')[1]).toBe(
      'Phase of the conversation: complaining.\nIt may lead to: closing.',
    );
  });

  it('begins with the first phase if the state has another name', async () => {
    const { instructions } = await talk(Desk, [ANSWERS], { phase: 'gone' });

    expect(instructions[0]).toContain('Phase of the conversation: opening.');
  });

  it('reads the context in the order of its keys, each once, as JSON unless it is a text', async () => {
    const { instructions } = await talk(Desk, [ANSWERS], {
      'user:tone': 'kind',
      address: { city: 'Bern' },
      balance: 60,
      account: '7',
      name: 'Ada',
    });

    expect(instructions[0]).toMatch(
      /\n\n\[Context: name=Ada, balance=60, address=\{"city":"Bern"\}, tone=kind, account=7\]$/,
    );
  });

  it('names the last three phases, with the turns in which they began', async () => {
    const { instructions, state, logger } = await talk(Desk, [
      ANSWERS,
      writes('step', 'checking'),
      ANSWERS,
      writes('step', 'paying'),
      writes('step', 'closing'),
      ANSWERS,
    ]);
    const pasts = instructions.map((text) => /Phases so far: .*/.exec(text)?.[0]);

    expect(pasts).toEqual([
      undefined,
      undefined,
      undefined,
      'Phases so far: opening (turn 1), checking (turn 2).',
      'Phases so far: opening (turn 1), checking (turn 2).',
      'Phases so far: opening (turn 1), checking (turn 2).',
      'Phases so far: opening (turn 1), checking (turn 2), paying (turn 4).',
      'Phases so far: opening (turn 1), checking (turn 2), paying (turn 4).',
      'Phases so far: checking (turn 2), paying (turn 4), closing (turn 5).',
    ]);
    expect(state).toMatchObject({ phase: 'closing', live_memory: { turn: 6 } });
    // Phases without hooks are no failures.
    expect(logger.lines).toEqual([]);
  });

  it('keeps the last hundred phases', async () => {
    const history = Array.from({ length: 100 }, (_, at) => ({ phase: 'opening', turn: at + 1 }));
    const memory = { turn: 100, seen: {}, since: {}, fired: {}, told: [], history };
    const { state } = await talk(Desk, [ANSWERS], { live_memory: memory, step: 'checking' });
    const { history: kept } = state['live_memory'] as { history: object[] };

    expect(kept).toHaveLength(100);
    expect([kept[0], kept.at(-1)]).toEqual([
      { phase: 'opening', turn: 2 },
      { phase: 'checking', turn: 101 },
    ]);
  });
});

describe('what a live agent tells the model beside its instruction', () => {
  @agent({ name: 'desk', tools: [WRITE] })
  class Telling extends LiveAgent<Caller> {
    @phase<Caller>({ first: true })
    opening(live: LiveContext<Caller>) {
      live.steer('Not this.');
      live.prompt('Nor this.');
      return 'Greet.';
    }

    @watch('name')
    named(live: LiveContext<Caller>) {
      live.steer('');
      live.steer(`It is ${String(live.state.name)}.`);
      live.prompt('Say hello.');
    }
  }

  it('is read once, with the first request after the turn, and is not what an instruction would tell', async () => {
    const turns = [ANSWERS, writes('step', 'on'), ANSWERS];
    const { instructions, state } = await talk(Telling, turns, { name: 'Ada' });
    const own = 'Your name is "desk".\n\nGreet.\nPhase of the conversation: opening.';

    expect(instructions).toEqual([own, `${own}\n\nIt is Ada.\n\nSay hello.`, own, own]);
    expect(state).toMatchObject({ live_memory: { told: [] } });
  });

  it('is taken from the state when it is read, and a request without it writes nothing', async () => {
    const { events } = await talk(Telling, [ANSWERS, ANSWERS], { name: 'Ada' });
    const answers = events.filter(({ text }) => text === 'Hm.');

    expect(answers.map(({ actions }) => Object.keys(actions.stateDelta))).toEqual([[], ['live_memory']]);
  });
});

describe('the settings of a live agent', () => {
  it('are by default: no greeting, no context, steering by instruction, and repair after three and six turns', () => {
    @agent({ name: 'desk' })
    class Plain extends LiveAgent {
      @phase({ first: true })
      opening() {
        return '';
      }
    }
    const { greeting, context, steering, repair, otherModels } = new Plain();

    expect({ greeting, context, steering, repair, otherModels }).toEqual({
      greeting: undefined,
      context: [],
      steering: 'instruction',
      repair: { nudge: 3, escalate: 6 },
      otherModels: [],
    });
  });
});
