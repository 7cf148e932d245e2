/* eslint-disable max-lines -- the programs of one desk, and the checks that share it */
import { becameTrue, extract, LiveAgent, type LiveContext, phase, watch } from '@adorn/live';
import {
  agent,
  agentTool,
  type CallbackContext,
  type FunctionCall,
  LlmAgent,
  Model,
  type ModelResponse,
  SequentialAgent,
  tool,
  type ToolContext,
} from 'adorn';
import { callsTool, says, ScriptedModel, speaks, untilText } from '@adorn/testing';
import { expect } from 'expect';

import type { Example } from './example.js';
import { LiveCall, turnWith } from './live-call.js';
import { declaredLive, instructionIn } from './model-reads.js';

interface Debtor {
  caller_name?: string;
  identity_verified?: boolean;
  is_informed?: boolean;
  plan_agreed?: boolean;
}

type Response = Record<string, unknown>;

class DeskTools {
  /**
   * Get the weather of a city.
   *
   * @param city The name of the city.
   */
  @tool({ effect: 'read' })
  getWeather(city: string) {
    return { city, from: 'the tool' };
  }

  /**
   * Verify the identity of the caller.
   *
   * @param name The full name.
   */
  @tool
  verifyIdentity(name: string) {
    return { verified: name === 'Ada' };
  }

  /** Look up an account. */
  @tool({ effect: 'read' })
  lookupAccount() {
    return { balance: 4250, ssn: '078-05-1120' };
  }

  /**
   * Log an event for compliance.
   *
   * @param event What has happened.
   */
  @tool
  logComplianceEvent(event: string) {
    return `logged ${event}`;
  }

  /** Note that the caller knows the debt. */
  @tool
  noteInformed({ state }: ToolContext) {
    state.set('is_informed', true);
    return 'noted';
  }

  /**
   * Calculate a payment plan.
   *
   * @param months Over how many months.
   */
  @tool
  calculatePaymentPlan(months: number, { state }: ToolContext) {
    state.set('plan_agreed', true);
    return { monthly: 4250 / months };
  }
}

/** A desk that goes on to another phase, and calls a watcher, once the caller is verified. */
abstract class VerifyingDesk extends LiveAgent<Debtor> {
  readonly seen: string[] = [];

  @phase<Debtor>({ first: true })
  verifying() {
    return 'Verify the caller.';
  }

  @phase<Debtor>({
    from: 'verifying',
    when: ({ identity_verified }) => identity_verified === true,
    last: true,
  })
  informing() {
    return 'Inform the caller.';
  }

  @watch('identity_verified', becameTrue())
  verified({ phase: name }: LiveContext<Debtor>) {
    this.seen.push(`verified in ${name}`);
  }
}

class Verification {
  /** Note that the caller is verified. */
  @tool
  noteVerified({ state }: ToolContext) {
    state.set('identity_verified', true);
    return 'noted';
  }
}

/** Verifies callers. */
@agent({ instruction: 'Verify the caller {caller_name}.', tools: [Verification] })
class Verifier extends LlmAgent {}

/** Calculates plans. */
@agent({ instruction: 'Calculate.', outputKey: 'plan' })
class Calculator extends LlmAgent {}

/** Checks what was calculated. */
@agent({ instruction: 'Check {plan}.' })
class Checker extends LlmAgent {}

/** Calculates plans, and checks them. */
@agent({ subAgents: [Calculator, Checker] })
class CalcPipeline extends SequentialAgent {}

// example: agents as tools
@agent({
  tools: [
    agentTool(Verifier, { name: 'verify_identity', description: 'Verify the identity of the caller' }),
    agentTool(CalcPipeline, { name: 'calc_payment', description: 'Calculate payment plans' }),
  ],
})
abstract class DeskOfAgents extends VerifyingDesk {}
// end of example

/** A model that has found out the name of the caller. */
class NameReader extends Model {
  readonly name = 'name-reader';

  async *generate(): AsyncGenerator<ModelResponse, void, undefined> {
    yield await Promise.resolve(says('{"caller_name":"Ada"}'));
  }
}

@agent({ name: 'desk' })
class ExtractingDesk extends DeskOfAgents {
  @extract({
    model: new NameReader(),
    schema: { type: 'object', properties: { caller_name: { type: 'string' } } },
  })
  caller() {
    return 'What is the name of the caller?';
  }
}

// example: on_tool_call
@agent({ tools: [DeskTools] })
class DeskByHand extends VerifyingDesk {
  override onToolCall(calls: readonly FunctionCall[], { state }: CallbackContext) {
    const responses: Record<string, Response> = {};
    for (const { id = '', name, args = {} } of calls) {
      if (name === 'get_weather') responses[id] = executeWeather(args);
      if (name === 'verify_identity') {
        responses[id] = verify(args);
        if (responses[id]['verified'] === true) state.set('identity_verified', true); // promote to state
      }
    }
    return responses;
  }
}
// end of example

function executeWeather({ city }: Response): Response {
  return { city, from: 'onToolCall' };
}

function verify({ name }: Response): Response {
  return { verified: name === 'Ada', by: 'onToolCall' };
}

// example: phase-scoped tools
@agent({ tools: [DeskTools] })
class PhasedDesk extends LiveAgent<Debtor> {
  @phase<Debtor>({ first: true, tools: ['verify_identity', 'log_compliance_event'] })
  verify_identity() {
    return 'Find out who is calling';
  }

  @phase<Debtor>({ from: 'verify_identity', when: (state) => state.identity_verified === true })
  inform_debt() {
    return 'Tell what is owed';
  }

  @phase<Debtor>({
    from: 'inform_debt',
    when: (state) => state.is_informed === true,
    tools: ['calculate_payment_plan'],
  })
  negotiate() {
    return 'Agree on a plan';
  }

  @phase<Debtor>({ from: 'negotiate', when: (state) => state.plan_agreed === true, last: true })
  arrange_payment() {
    return 'Arrange the payment';
  }
}
// end of example

@agent({ name: 'desk' })
class PromotingPhasedDesk extends PhasedDesk {
  override beforeToolResponse(response: Response, _call: object, { state }: CallbackContext): undefined {
    if (response['verified'] === true) state.set('identity_verified', true);
    return undefined;
  }
}

// example: before_tool_response
@agent({ tools: [DeskTools] })
class InterceptingDesk extends VerifyingDesk {
  override beforeToolResponse(
    response: Response,
    { name }: Partial<FunctionCall>,
    { state }: CallbackContext,
  ) {
    if (name === 'verify_identity' && response['verified'] === true) state.set('identity_verified', true);
    return name === 'lookup_account' ? redactPii(response) : undefined;
  }
}
// end of example

function redactPii(response: Response): Response {
  return { ...response, ssn: '***' };
}

/** What the watchers of a desk have seen. */
function seenBy({ runner }: LiveCall): readonly string[] {
  return (runner.root.definition as VerifyingDesk).seen;
}

/** The phase of each connection. */
function phasesOf({ model }: LiveCall): (string | undefined)[] {
  return model.connections.map(
    ({ setup }) => /Phase of the conversation: (\w+)/.exec(setup.instruction)?.[1],
  );
}

const VERIFIED = { identity_verified: true, phase: 'informing' };

export const agentsAsTools: Example = {
  name: 'agents as tools',
  there: 5,
  async play(promise) {
    const text = new ScriptedModel(
      callsTool('note_verified'),
      says('It is Ada.'),
      says('Ten times 425.'),
      says('That is right.'),
    );
    await using call = await LiveCall.with(
      ExtractingDesk,
      [
        ...[untilText(), speaks('Hello Ada.')],
        ...turnWith(
          ['verify_identity', 'v1', { request: 'Who calls?' }],
          ['calc_payment', 'c1', { request: 'Ten months.' }],
        ),
      ],
      { text },
    );
    await call.talk();
    await call.talkIntoNextPhase();
    const state = await call.state;

    promise('both are declared under their names, with a description and one required text', () => {
      expect(declaredLive(call.model)).toMatchObject([
        { name: 'verify_identity', description: 'Verify the identity of the caller' },
        { name: 'calc_payment', description: 'Calculate payment plans' },
      ]);
    });
    promise('the agent reads what was extracted from the live conversation', () => {
      expect(instructionIn(text, 0)).toContain('Verify the caller Ada.');
    });
    promise('a pipeline runs its steps in their order, which share the state', () => {
      expect(instructionIn(text, 3)).toContain('Check Ten times 425..');
      expect(call.told['c1']).toEqual([{ text: expect.stringContaining('That is right.') as unknown }]);
    });
    promise('what an agent writes moves the phase and calls the watcher', () => {
      expect(state).toMatchObject(VERIFIED);
      expect(seenBy(call)).toEqual(['verified in informing']);
    });
  },
};

export const onToolCall: Example = {
  name: 'on_tool_call',
  there: 17,
  async play(promise) {
    await using call = await LiveCall.with(
      DeskByHand,
      turnWith(
        ['get_weather', 'w1', { city: 'Oslo' }],
        ['lookup_account', 'a1'],
        ['nothing', 'n1'],
        ['verify_identity', 'v1', { name: 'Ada' }],
      ),
    );
    await call.talkIntoNextPhase();
    const state = await call.state;

    promise(
      'what the callback answers is the response of the call, by its id, and the tool does not run',
      () => {
        expect(call.told).toMatchObject({
          w1: [{ city: 'Oslo', from: 'onToolCall' }],
          v1: [{ verified: true, by: 'onToolCall' }],
        });
      },
    );
    promise('what it does not answer goes to the tools; a tool that there is not is an error', () => {
      expect(call.told).toMatchObject({
        a1: [{ balance: 4250 }],
        n1: [{ error: expect.any(String) as unknown }],
      });
    });
    promise('a result that it promotes to the state moves the phase and calls the watcher', () => {
      expect(state).toMatchObject(VERIFIED);
      expect(seenBy(call)).toEqual(['verified in informing']);
    });
  },
};

export const phaseScopedTools: Example = {
  name: 'phase-scoped tools',
  there: 10,
  async play(promise) {
    await using call = await LiveCall.with(PromotingPhasedDesk, [
      ...turnWith(
        ['calculate_payment_plan', 'p0', { months: 2 }],
        ['log_compliance_event', 'l1', { event: 'call' }],
        ['verify_identity', 'v1', { name: 'Ada' }],
      ),
      ...turnWith(['log_compliance_event', 'l2', { event: 'informed' }], ['note_informed', 'i1']),
      ...turnWith(
        ['log_compliance_event', 'l3', { event: 'plan' }],
        ['calculate_payment_plan', 'p1', { months: 2 }],
      ),
    ]);
    for (let turn = 0; turn < 3; turn++) await call.talkIntoNextPhase();
    const state = await call.state;

    const refused = (name: string, allowed: string): object => ({
      error: 'tool call was denied',
      reason: `Tool '${name}' is not available in the current conversation phase. This phase allows: ${allowed}.`,
    });
    promise('a tool that the phase does not list is refused, and does not run', () => {
      expect(call.told).toMatchObject({
        p0: [refused('calculate_payment_plan', 'verify_identity, log_compliance_event')],
        l3: [refused('log_compliance_event', 'calculate_payment_plan')],
      });
    });
    promise('the tools of the phase run; without a list, all do', () => {
      expect(call.told).toMatchObject({
        l1: [{ result: 'logged call' }],
        v1: [{ verified: true }],
        l2: [{ result: 'logged informed' }],
        p1: [{ monthly: 2125 }],
      });
    });
    promise('each phase follows when its key is true, with its own instruction', () => {
      expect(phasesOf(call)).toEqual(['verify_identity', 'inform_debt', 'negotiate', 'arrange_payment']);
      expect(call.model.connections[2]?.setup.instruction).toContain('Agree on a plan');
      expect(state).toMatchObject({ phase: 'arrange_payment', plan_agreed: true });
    });
  },
};

export const beforeToolResponse: Example = {
  name: 'before_tool_response',
  there: 13,
  async play(promise) {
    await using call = await LiveCall.with(
      InterceptingDesk,
      turnWith(
        ['lookup_account', 'a1'],
        ['get_weather', 'w1', { city: 'Oslo' }],
        ['verify_identity', 'v1', { name: 'Ada' }],
      ),
    );
    await call.talkIntoNextPhase();
    const state = await call.state;

    promise('the model reads the redacted response, on this connection and on the next one', () => {
      expect(call.told['a1']).toEqual([{ balance: 4250, ssn: '***' }]);
      const read = JSON.stringify(call.model.connections.map(({ setup, sent }) => [setup, sent]));
      expect(call.model.connections).toHaveLength(2);
      expect(read).not.toContain('078-05-1120');
    });
    promise('a response that it leaves alone is read as it is', () => {
      expect(call.told).toMatchObject({ w1: [{ city: 'Oslo' }], v1: [{ verified: true }] });
    });
    promise('a result that it promotes to the state moves the phase and calls the watcher', () => {
      expect(state).toMatchObject(VERIFIED);
      expect(seenBy(call)).toEqual(['verified in informing']);
    });
  },
};
