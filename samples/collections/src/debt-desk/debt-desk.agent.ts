import { becameTrue, LiveAgent, type LiveContext, phase, watch } from '@adorn/live';
import {
  agent,
  agentTool,
  builtInCodeExecution,
  type CallbackContext,
  type FunctionCall,
  googleSearch,
  LlmAgent,
  tool,
  type ToolContext,
  urlContext,
} from 'adorn';

import { DeskTools } from './desk-tools.js';

interface Debtor {
  identity_verified?: boolean;
  is_informed?: boolean;
  plan_agreed?: boolean;
  angry?: boolean;
}

class Plans {
  /** Note that the caller knows the debt. */
  @tool
  noteInformed({ state }: ToolContext): string {
    state.set('is_informed', true);
    return 'noted';
  }
}

/** Calculate payment plans. */
@agent({ instruction: 'Calculate.', tools: [Plans] })
class CalcPayment extends LlmAgent {}

const PROVIDER_TOOLS = [googleSearch(), builtInCodeExecution(), urlContext()];

type Response = Record<string, unknown>;
type Answers = Record<string, Response>;

/** Collects debts, in the phases that the law asks for. */
@agent({
  model: 'gemini-live-2.5-flash-preview',
  tools: [DeskTools, agentTool(CalcPayment), ...PROVIDER_TOOLS],
})
export class DebtDesk extends LiveAgent<Debtor> {
  /** What the watchers have seen. */
  readonly seen: string[] = [];

  @phase<Debtor>({ first: true, tools: ['verify_identity', 'log_compliance_event'] })
  verify_identity() {
    return "Verify the caller's identity";
  }

  @phase<Debtor>({ from: 'verify_identity', when: (state) => state.identity_verified === true })
  inform_debt() {
    return 'Inform the caller of the debt';
  }

  @phase<Debtor>({
    from: 'inform_debt',
    when: (state) => state.is_informed === true,
    tools: ['calculate_payment_plan'],
  })
  negotiate() {
    return 'Negotiate a payment plan';
  }

  @phase<Debtor>({ from: 'negotiate', when: (state) => state.plan_agreed === true, last: true })
  arrange_payment() {
    return 'Arrange the payment';
  }

  @watch('identity_verified', becameTrue())
  verified({ phase: name }: LiveContext<Debtor>) {
    this.seen.push(`verified in ${name}`);
  }

  @watch('angry', becameTrue())
  angry(live: LiveContext<Debtor>) {
    this.seen.push('angry');
    live.steer('Slow down.');
  }

  override onToolCall(calls: readonly FunctionCall[], { state }: CallbackContext): Answers {
    const answers: Answers = {};
    for (const { id = '', name, args } of calls) {
      if (name === 'get_weather') answers[id] = { temp: 21 };
      if (name !== 'verify_identity' || args?.['name'] !== 'Ada') continue;
      answers[id] = { verified: true };
      state.set('identity_verified', true); // promote to state
    }
    return answers;
  }

  override beforeToolResponse(response: Response, { name }: Partial<FunctionCall>): Response | undefined {
    return name === 'lookup_account' && 'ssn' in response ? { ...response, ssn: '***' } : undefined;
  }
}
