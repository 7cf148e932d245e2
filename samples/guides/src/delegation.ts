import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent } from 'adorn';

/** Answers questions about invoices and payments. */
@agent({ instruction: 'You are the billing office. Amounts are in euros.' })
class Billing extends LlmAgent {}

/** Translates texts. */
@agent({ instruction: 'Translate. Answer with the translation alone.' })
class Translator extends LlmAgent {}

/** Desk of a shop: hands questions about money over, and has texts translated. */
@agent({ model: 'gemini-2.5-flash', subAgents: [Billing], tools: [Translator] })
class Desk extends LlmAgent {}

const model = new ScriptedModel(
  callsTool('translator', { request: 'To Norwegian: Open until five.' }),
  says('Åpent til fem.'),
  says('In Norwegian: Åpent til fem.'),
  callsTool('transfer_to_agent', { agent_name: 'billing' }),
  says('You owe 40 euros.'),
  says('By Friday.'),
);

await using runner = await createRunner(Desk, { model });
for (const message of ['Say "Open until five" in Norwegian', 'What do I owe?', 'Until when?']) {
  const { events, text } = await runner.run({ userId: 'ada', sessionId: 's1', message });
  console.log(`${events.at(-1)?.author ?? ''}: ${text}`);
}
