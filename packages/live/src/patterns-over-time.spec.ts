import { agent, createRunner, FunctionTool, type Runner } from '@adorn/core';
import { callsTool, says, ScriptedModel } from '@adorn/testing';

import { failures, LiveAgent, phase, rate, turns, watch } from './index.js';

const KEY = { userId: 'ada', sessionId: 'call-7' };

interface Caller {
  isHeated?: boolean;
}

const lookUp = new FunctionTool({
  name: 'look_up',
  description: 'Looks an account up.',
  parameters: { type: 'object', properties: { account: { type: 'string' } } },
  run: ({ account }: { account?: string }, { state }) => {
    state.set('isHeated', account === 'heated');
    if (account === 'broken') throw new Error('The register is down.');
    return 'found';
  },
});

let called: string[] = [];

@agent({ name: 'desk', instruction: 'Be kind.', tools: [lookUp] })
class Desk extends LiveAgent<Caller> {
  @phase({ first: true })
  helping() {
    return 'Help.';
  }

  @watch(turns<Caller>(({ isHeated }) => isHeated === true, 2))
  heatedForTwoTurns() {
    called.push('heated');
  }

  @watch(rate(({ text }) => text.includes('no'), 3, '1m'))
  refusedThreeTimes() {
    called.push('refused');
  }

  @watch(failures('look_up', 2))
  registerIsDown() {
    called.push('down');
  }
}

/** Each turn looks an account up; what the user says is refused where the account is `refused`. */
async function talk(...accounts: readonly string[]): Promise<string[]> {
  called = [];
  const steps = accounts.flatMap((account) => [callsTool('look_up', { account }), says('Hm.')]);
  await using runner = await createRunner(Desk, { model: new ScriptedModel(...steps) });
  const after: string[] = [];
  for (const account of accounts) after.push(await turnOf(runner, account));
  return after;
}

async function turnOf(runner: Runner, account: string): Promise<string> {
  const before = called.length;
  await runner.ask(account === 'refused' ? 'no' : 'yes', KEY);
  return called.slice(before).join();
}

describe('a watcher of a pattern over time', () => {
  it('is called when a condition has held for turns in a row, once as long as it goes on holding', async () => {
    expect(await talk('heated', 'calm', 'heated', 'heated', 'heated', 'calm', 'heated', 'heated')).toEqual([
      '',
      '',
      '',
      'heated',
      '',
      '',
      '',
      'heated',
    ]);
  });

  it('is called when so many events have come within a while', async () => {
    expect(await talk('refused', 'calm', 'refused', 'refused', 'refused')).toEqual([
      '',
      '',
      '',
      'refused',
      '',
    ]);
  });

  it('is called when a tool has failed so many times in a row', async () => {
    expect(await talk('broken', 'calm', 'broken', 'broken', 'broken')).toEqual(['', '', '', 'down', '']);
  });
});

describe('rate', () => {
  it.each([
    [[0, 30, 60], true],
    [[0, 30, 61], false],
    [[30, 60], false],
  ])('of three in a minute at %p seconds: %p', (seconds, isMet) => {
    const at = seconds.at(-1) ?? 0;
    const unseen = { before: undefined, now: undefined, heldMs: undefined };

    expect(rate(() => true, 3, '1m').isMet({ ...unseen, counted: seconds, at })).toBe(isMet);
  });
});

describe('failures', () => {
  it('does not count an acknowledgement as a result', () => {
    const event = (functionResponse: object) =>
      ({ functionResponses: [functionResponse] }) as unknown as Parameters<
        NonNullable<ReturnType<typeof failures>['count']>
      >[1]['events'][number];
    const events = [
      event({ name: 'look_up', response: { error: 'late' } }),
      event({ name: 'look_up', response: { status: 'running' }, willContinue: true }),
      event({ name: 'other', response: { result: 1 } }),
      event({ name: 'look_up', response: { error: 'late' } }),
    ];

    expect(failures('look_up', 2).count?.([], { events, state: {} })).toEqual([2]);
  });
});
