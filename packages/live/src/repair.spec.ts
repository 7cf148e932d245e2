import { agent } from '@adorn/core';
import type { ScriptedStep } from '@adorn/testing';

import { ANSWERS, talk, WRITE, writes } from './conversation.fixture.js';
import { LiveAgent, phase } from './index.js';

interface Caller {
  name?: string;
  account?: string;
  step?: string;
}

@agent({ name: 'desk', tools: [WRITE] })
class Desk extends LiveAgent<Caller> {
  @phase<Caller>({ first: true, needs: ['name', 'account'] })
  opening() {
    return 'Greet.';
  }

  @phase<Caller>({ when: ({ step }) => step === 'on', needs: ['name', 'account'], last: true })
  helping() {
    return 'Help.';
  }
}

@agent({ name: 'desk', tools: [WRITE] })
class Hasty extends Desk {
  override readonly repair = { nudge: 1, escalate: 2 };
}

@agent({ name: 'desk', tools: [WRITE] })
class Patient extends Desk {
  override readonly repair = false;
}

const REMINDER = 'Still to be found out: name, account. Ask for it now.';

function quiet(turns: number): readonly (readonly ScriptedStep[])[] {
  return Array.from({ length: turns }, () => ANSWERS);
}

/** The requests, from 1, in which the model is reminded. */
function reminded(instructions: readonly string[]): number[] {
  return instructions.flatMap((text, index) => (text.includes('Ask for it now.') ? [index + 1] : []));
}

describe('the repair of a phase that learns nothing', () => {
  it('reminds the model after three turns, and names after six what is missing', async () => {
    const five = await talk(Desk, quiet(5));
    const seven = await talk(Desk, quiet(7));

    expect(reminded(seven.instructions)).toEqual([4]);
    expect(seven.instructions[3]?.endsWith(`\n\n${REMINDER}`)).toBe(true);
    expect(five.state).not.toHaveProperty(['repair:escalation']);
    expect(five.state).not.toHaveProperty(['repair:unfulfilled']);
    expect(seven.state).toMatchObject({
      'repair:escalation': true,
      'repair:unfulfilled': ['name', 'account'],
      live_memory: { stalled: { phase: 'opening', missing: 2, turns: 7 } },
    });
  });

  it('comes as early as the agent says', async () => {
    const { instructions, state } = await talk(Hasty, quiet(3));

    expect(reminded(instructions)).toEqual([2]);
    expect(state).toHaveProperty(['repair:escalation'], true);
    expect((await talk(Hasty, quiet(1))).state).not.toHaveProperty(['repair:escalation']);
  });

  it('does not come if the agent has none', async () => {
    const { instructions, state } = await talk(Patient, quiet(8));

    expect(reminded(instructions)).toEqual([]);
    expect(state).not.toHaveProperty(['repair:escalation']);
    expect(state).toMatchObject({ live_memory: { stalled: { turns: 8 } } });
  });

  it('begins anew with each key that is found out', async () => {
    const { instructions, state } = await talk(Hasty, [...quiet(2), writes('name', 'Ada'), ...quiet(1)]);

    // The second turn has escalated, which the third takes back.
    expect(state).not.toHaveProperty(['repair:escalation']);
    expect(state).not.toHaveProperty(['repair:unfulfilled']);
    expect(state).toMatchObject({ live_memory: { stalled: { missing: 1, turns: 1 } } });
    expect(reminded(instructions)).toEqual([2]);
  });

  it('names what is still missing', async () => {
    const { state } = await talk(Hasty, [writes('name', 'Ada'), ...quiet(3)]);

    expect(state).toMatchObject({ 'repair:unfulfilled': ['account'] });
  });

  it('does not begin anew with a key that is lost again', async () => {
    const { state } = await talk(Hasty, [...quiet(1), writes('name', 'Ada'), writes('name', null)]);

    expect(state).toMatchObject({ live_memory: { stalled: { missing: 2, turns: 1 } } });
  });

  it('begins anew with another phase', async () => {
    const { state } = await talk(Hasty, [...quiet(2), writes('step', 'on')]);

    expect(state).not.toHaveProperty(['repair:escalation']);
    expect(state).toMatchObject({ live_memory: { stalled: { phase: 'helping', missing: 2, turns: 0 } } });
  });

  it('is over when nothing is missing any more', async () => {
    const found = [writes('name', 'Ada'), writes('account', '7')];
    const { state, instructions } = await talk(Hasty, [...quiet(2), ...found, ...quiet(3)]);

    expect(state).not.toHaveProperty(['repair:escalation']);
    expect(state).toMatchObject({ live_memory: { stalled: { missing: 0, turns: 0 } } });
    expect(reminded(instructions)).toEqual([2]);
  });
});
