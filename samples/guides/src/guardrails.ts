import { callsTool, says, ScriptedModel } from '@adorn/testing';
import {
  agent,
  createRunner,
  Deny,
  type Guardrail,
  GuardrailsPlugin,
  LlmAgent,
  personalData,
  RunFailedError,
  tool,
  type ToolGuardrail,
} from 'adorn';

class Orders {
  /** Refund an order. @param order Its number. @param amount In euros. */
  @tool()
  refund(order: string, amount: number): { refunded: number; order: string } {
    return { refunded: amount, order };
  }
}

/** Promises nothing in the name of the shop. */
const noPromises: Guardrail = {
  name: 'no-promises',
  check: (text) => (/\bguarantee/i.test(text) ? new Deny('It promises something.') : undefined),
};

const smallAmounts: ToolGuardrail = {
  name: 'small-amounts',
  tools: 'refund',
  onTripwire: 'deny',
  checkCall: (_tool, { amount }) => (Number(amount) > 100 ? new Deny('At most 100 euros.') : undefined),
};

/** Desk of a shop. */
@agent({ tools: [Orders], outputGuardrails: [noPromises], toolGuardrails: [smallAmounts] })
class Desk extends LlmAgent {}

const model = new ScriptedModel(
  says('We guarantee it.'),
  callsTool('refund', { order: 'A-17', amount: 500 }),
  says('I may not refund so much.'),
);
await using runner = await createRunner(Desk, {
  model,
  plugins: [new GuardrailsPlugin({ inputGuardrails: [personalData({ action: 'redact' })] })],
});
const address = { userId: 'ada', sessionId: 's1' };

try {
  await runner.ask('Will it arrive? Mail me: ada@example.org', address);
} catch (error) {
  if (error instanceof RunFailedError) console.log(error.tripwire);
}
console.log(await runner.ask('Then I want 500 euros back.', address));

const session = await runner.sessions.getSession({ appName: runner.appName, ...address });
for (const { author, text, errorCode } of session?.events ?? []) console.log(author, errorCode ?? text);
