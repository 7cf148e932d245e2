import { agent, type CallbackContext, FunctionTool, LlmAgent } from '@adorn/core';
import type { LiveSession } from '@adorn/core/backend';
import {
  callsLive,
  callsTool,
  says,
  ScriptedLive,
  ScriptedModel,
  speaks,
  untilResponse,
  untilText,
} from '@adorn/testing';

import { computed, crossedAbove, LiveAgent, type LiveContext, phase, sustained, watch } from './index.js';
import { createRunner } from './session/live.fixture.js';

const KEY = { userId: 'ada', sessionId: 'call-7' };

interface Caller {
  verified?: boolean;
  balance?: number;
  agreed?: number;
  share?: number;
  mood?: number;
}

function write(name: string, key: keyof Caller, value: unknown): FunctionTool {
  const run = (_args: unknown, { state }: CallbackContext): string => {
    state.set(key, value);
    return 'written';
  };
  return new FunctionTool({ name, description: 'Writes.', parameters: { type: 'object' }, run });
}

const heated: string[] = [];

@agent({
  name: 'collections',
  instruction: 'Be polite.',
  tools: [write('verify', 'verified', true), write('agree', 'agreed', 30), write('anger', 'mood', 0.9)],
})
class Collections extends LiveAgent<Caller> {
  override greeting = 'Say who is calling.';

  @phase<Caller>({ first: true, tools: ['verify', 'anger'], needs: ['verified'] })
  verifying() {
    return 'Ask for the account number.';
  }

  @phase<Caller>({ from: 'verifying', when: ({ verified }) => verified === true })
  informing({ state }: LiveContext<Caller>) {
    state.balance ??= 60;
    return 'State the balance.';
  }

  @phase<Caller>({ from: 'informing', when: ({ share = 0 }) => share >= 0.5, last: true })
  arranging() {
    return 'Arrange it.';
  }

  @computed('share')
  share({ agreed = 0, balance = 60 }: Caller) {
    return agreed / balance;
  }

  @watch('mood', crossedAbove(0.8))
  tooHeated(live: LiveContext<Caller>) {
    heated.push(live.phase);
    live.steer('Slow down.');
  }
}

describe('a live agent', () => {
  it('goes through its phases: each has its instruction and tools, and a guard begins the next one', async () => {
    const model = new ScriptedLive(
      untilText(),
      speaks('This is the bank.'),
      untilText(),
      callsLive('agree', {}, 'a1'),
      untilResponse('a1'),
      callsLive('verify', {}, 'v1'),
      untilResponse('v1'),
      speaks('Thank you.'),
      untilText(),
      callsLive('agree', {}, 'a2'),
      untilResponse('a2'),
      speaks('Thirty it is.'),
    );
    await using runner = await createRunner(Collections, { model: new ScriptedModel() });
    const live = runner.live({ ...KEY, model });
    await turnEnd(live);
    live.sendText('It is me.');
    await turnEnd(live);
    await connected(live);
    live.sendText('I pay thirty.');
    await turnEnd(live);
    await connected(live);
    await live.close();

    expect(model.connections[0]?.texts[0]).toBe('Say who is calling.');
    expect(model.connections[0]?.responses[0]?.response).toEqual({
      error: 'tool call was denied',
      reason:
        "Tool 'agree' is not available in the current conversation phase. This phase allows: verify, anger.",
    });
    const instructions = model.connections.map(({ setup }) => setup.instruction);
    expect(instructions).toEqual([
      expect.stringMatching(
        /Be polite\.[^]*Ask for the account number\.[^]*Still to be found out: verified\./,
      ),
      expect.stringMatching(
        /State the balance\.[^]*Phases so far: verifying \(turn 1\), informing \(turn 2\)\./,
      ),
      expect.stringMatching(/Arrange it\./),
    ]);
    const session = await runner.sessions.getSession({ appName: runner.appName, ...KEY });
    expect(session?.state).toMatchObject({ phase: 'arranging', share: 0.5, verified: true });
  });

  it('says in the refusal of a tool which tools the phase allows, also that there are none', async () => {
    @agent({ name: 'silent', tools: [write('agree', 'agreed', 30)] })
    class Silent extends LiveAgent<Caller> {
      @phase<Caller>({ first: true, tools: [] })
      waiting() {
        return 'Wait.';
      }
    }
    const model = new ScriptedModel(callsTool('agree'), says('I wait.'));
    await using runner = await createRunner(Silent, { model });
    const { events } = await runner.run({ ...KEY, message: 'Thirty.' });

    expect(events[1]?.functionResponses[0]?.response).toEqual({
      error: 'tool call was denied',
      reason: "Tool 'agree' is not available in the current conversation phase. This phase allows no tools.",
    });
  });

  it('goes by turns in a text run, where what a watcher says is read with the next message', async () => {
    heated.length = 0;
    const model = new ScriptedModel(
      callsTool('anger'),
      says('I see.'),
      callsTool('verify'),
      says('Thank you.'),
      says('Sixty.'),
    );
    await using runner = await createRunner(Collections, { model });
    await runner.ask('This is outrageous!', KEY);
    await runner.ask('It is me.', KEY);
    await runner.ask('And now?', KEY);

    expect(heated).toEqual(['verifying']);
    const instructions = model.requests.map(({ config }) => config.systemInstruction as string);
    expect(instructions.map((text) => text.includes('Slow down.'))).toEqual([
      false,
      false,
      true,
      false,
      false,
    ]);
    expect(instructions[4]).toContain('State the balance.');
  });

  it.each([
    ['no phases registered', class None extends LiveAgent {}],
    ["phase 'b' has transition from unknown phase 'x'", withPhases({ first: true }, { from: 'x' })],
    ['2 phases have first: true, instead of one', withPhases({ first: true }, { first: true })],
  ])('is refused when the runner is created: %s', async (fault, Broken) => {
    agent({ name: 'broken' })(Broken as unknown as typeof LlmAgent);

    await expect(createRunner(Broken, { model: new ScriptedModel() })).rejects.toMatchObject({
      code: 'AGENT_CONFIG_INVALID',
      message: expect.stringContaining(fault) as string,
    });
  });
});

describe('watch predicates', () => {
  it.each([
    [undefined, 0.8, true],
    [0.7, 0.8, true],
    [0.8, 0.9, false],
    [0.9, 0.7, false],
    [0.1, undefined, false],
  ])('crossedAbove(0.8) from %p to %p: %p', (before, now, isMet) => {
    expect(crossedAbove(0.8).isMet({ before, now, heldMs: undefined, counted: [], at: 0 })).toBe(isMet);
  });

  it('refuses a duration that is none', () => {
    expect(() => sustained(() => true, '20 seconds')).toThrow('"20 seconds" is no duration.');
    expect(
      sustained(() => true, '20s').isMet({ before: 1, now: 1, heldMs: 20_000, counted: [], at: 0 }),
    ).toBe(true);
  });
});

function withPhases(...options: readonly Parameters<typeof phase>[0][]): new () => LiveAgent {
  class Phased extends LiveAgent {
    a() {
      return '';
    }

    b() {
      return '';
    }
  }
  options.forEach((one, index) => {
    phase(one)(Phased.prototype, 'ab'.charAt(index));
  });
  return Phased;
}

async function turnEnd(live: LiveSession): Promise<void> {
  for await (const { author, turnComplete } of live) if (author !== 'user' && turnComplete) return;
}

async function connected(live: LiveSession): Promise<void> {
  for await (const { live: news } of live) if (news?.kind === 'connected') return;
}
