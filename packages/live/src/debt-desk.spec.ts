import {
  agent,
  agentTool,
  type CallbackContext,
  defineAgent,
  type Event,
  FunctionTool,
  type FunctionCall,
  type Runner,
  Tool,
  type ToolContext,
} from '@adorn/core';
import type { LiveSession, ToolSource } from '@adorn/core/backend';
import {
  callsLive,
  callsTool,
  type LiveStep,
  says,
  ScriptedLive,
  ScriptedModel,
  speaks,
  untilResponse,
  untilText,
} from '@adorn/testing';

import { becameTrue, LiveAgent, phase, watch } from './index.js';
import { createRunner } from './session/live.fixture.js';

const KEY = { userId: 'c-1999', sessionId: 'call-7' };

type Response = Readonly<Record<string, unknown>>;

/** A desk that verifies a caller and then tells the debt. */
abstract class Desk extends LiveAgent {
  static seen: string[] = [];

  verifying() {
    return 'Verify the caller.';
  }

  informing() {
    return 'State the debt.';
  }

  verified() {
    Desk.seen.push('verified');
  }
}
phase({ first: true })(Desk.prototype, 'verifying');
phase({ from: 'verifying', when: (state) => state['identity_verified'] === true })(
  Desk.prototype,
  'informing',
);
watch('identity_verified', becameTrue())(Desk.prototype, 'verified');

const verify = new FunctionTool({
  name: 'verify_identity',
  description: 'Verifies.',
  run: () => ({ verified: true }),
});
const account = new FunctionTool({
  name: 'lookup_account',
  description: 'Looks up.',
  run: () => ({ balance: 4250, ssn: '078-05-1120' }),
});

beforeEach(() => {
  Desk.seen = [];
});

describe('a desk for debts', () => {
  it('promotes the result of a call that it answers by hand to the state, which moves the phase and calls the watcher', async () => {
    class ByHand extends Desk {
      override onToolCall(
        calls: readonly FunctionCall[],
        { state }: CallbackContext,
      ): Record<string, Record<string, unknown>> {
        state.set('identity_verified', true);
        return Object.fromEntries(calls.map(({ id = '' }) => [id, { verified: true }]));
      }
    }
    const { runner, state } = await call(ByHand, [verify], callOf('verify_identity'));

    expect(state).toMatchObject({ identity_verified: true, phase: 'informing' });
    expect(Desk.seen).toEqual(['verified']);
    await runner.close();
  });

  it('promotes a result on its way to the model, and redacts another, for this connection and the next', async () => {
    class Intercepting extends Desk {
      override beforeToolResponse(
        response: Response,
        { name }: Pick<FunctionCall, 'name'>,
        { state }: CallbackContext,
      ): Record<string, unknown> | undefined {
        if (name === 'verify_identity' && response['verified'] === true) state.set('identity_verified', true);
        return name === 'lookup_account' ? { ...response, ssn: '***' } : undefined;
      }
    }
    const steps = [...callOf('lookup_account'), ...callOf('verify_identity')];
    const { model, runner, state } = await call(Intercepting, [verify, account], steps, { turns: 2 });

    expect(state).toMatchObject({ identity_verified: true, phase: 'informing' });
    // The phase has begun on another connection.
    expect(model.connections).toHaveLength(2);
    const read = JSON.stringify(model.connections.map(({ setup, sent }) => [setup, sent]));
    expect(read).toContain('4250');
    expect(read).not.toContain('078-05-1120');
    await runner.close();
  });

  it('moves its phase by what a tool that listens hears, while the tool goes on', async () => {
    const script = [
      ...[untilText(), callsLive('listen', {}, 'c1'), untilResponse('c1'), speaks('I listen.')],
      ...[untilText(), speaks('I hear you.')],
    ];
    class Listening extends Desk {}
    agent({ name: 'desk', tools: [new Listener()] })(Listening);
    const model = new ScriptedLive(...script);
    const runner: Runner<unknown> = await createRunner(Listening, { model: new ScriptedModel() });
    const live = runner.live({ ...KEY, model });
    live.sendText('Go on.');
    await turnOf(live);
    await live.sendAudio(new Uint8Array(640));
    await until(live, ({ partial, functionResponses }) => partial && functionResponses.length > 0);
    live.sendText('Are you there?');
    await turnOf(live);
    await isRenewed(live);

    const session = await runner.sessions.getSession({ appName: runner.appName, ...KEY });
    expect(session?.state).toMatchObject({ identity_verified: true, phase: 'informing' });
    // The call has no last response yet.
    expect(model.connections[0]?.responses.map(({ response }) => response)).toEqual([
      { status: 'streaming', tool: 'listen' },
    ]);
    expect(Desk.seen).toEqual(['verified']);
    await live.close();
    await runner.close();
  });

  it('is moved by what an agent that is a tool has written', async () => {
    const mark = new FunctionTool({
      name: 'mark',
      description: 'Marks.',
      run: (_, { state }) => (state.set('identity_verified', true), 'marked'),
    });
    const Verifier = defineAgent({
      name: 'verifier',
      description: 'Verifies callers.',
      tools: [mark],
    });
    const text = new ScriptedModel(callsTool('mark', {}), says('Verified.'));
    const steps = callOf('verifier', { request: 'Ada' });
    const { runner, state } = await call(Desk, [agentTool(Verifier)], steps, { text });

    expect(state).toMatchObject({ identity_verified: true, phase: 'informing' });
    expect(Desk.seen).toEqual(['verified']);
    await runner.close();
  });
});

/** A tool that listens, as the compiler makes one of a method with a parameter of the type `LiveInput`. */
class Listener extends Tool {
  readonly name = 'listen';
  readonly description = 'Listens.';

  override get takesLiveInput(): boolean {
    return true;
  }

  declaration() {
    return { name: 'listen', description: 'Listens.', parametersJsonSchema: { type: 'object' } };
  }

  async *run(_args: unknown, { liveInput, state }: ToolContext): AsyncGenerator<number, void, undefined> {
    for await (const chunk of liveInput.audio) {
      state.set('identity_verified', true);
      yield chunk.byteLength;
    }
  }
}

function callOf(name: string, args: Record<string, unknown> = {}): LiveStep[] {
  return [untilText(), callsLive(name, args, `c-${name}`), untilResponse(`c-${name}`), speaks('Noted.')];
}

async function call(
  Base: abstract new () => Desk,
  tools: readonly ToolSource[],
  steps: readonly LiveStep[],
  { turns = 1, text = new ScriptedModel() }: { readonly turns?: number; readonly text?: ScriptedModel } = {},
): Promise<{ runner: Runner<unknown>; model: ScriptedLive; state: Readonly<Record<string, unknown>> }> {
  class Agent extends Base {}
  agent({ name: 'desk', tools: [...tools] })(Agent);
  const model = new ScriptedLive(...steps);
  const runner: Runner<unknown> = await createRunner(Agent, { model: text });
  const live = runner.live({ ...KEY, model });
  for (let turn = 0; turn < turns; turn++) {
    live.sendText('Go on.');
    await turnOf(live);
  }
  await isRenewed(live);
  await live.close();
  const session = await runner.sessions.getSession({ appName: runner.appName, ...KEY });
  return { runner, model, state: session?.state ?? {} };
}

function turnOf(live: LiveSession): Promise<void> {
  return until(live, ({ author, turnComplete }) => author === 'desk' && turnComplete);
}

/** The other phase has begun, on another connection. */
function isRenewed(live: LiveSession): Promise<void> {
  return until(live, ({ live: notice }) => notice?.kind === 'connected');
}

async function until(live: LiveSession, isMet: (event: Event) => boolean): Promise<void> {
  for await (const event of live) if (isMet(event)) return;
}
