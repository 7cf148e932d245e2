import { callsTool, says, ScriptedModel } from '@adorn/testing';
import {
  agent,
  ContainerModule,
  createRunner,
  inject,
  LlmAgent,
  Runner,
  tool,
  type ToolContext,
} from 'adorn';

/** Answers questions about invoices and payments. */
@agent({ instruction: 'You are the billing office. Amounts are in euros.' })
class Billing extends LlmAgent {}

/** Translates texts. */
@agent({ model: 'gemini-2.5-flash', instruction: 'Translate. Answer with the translation alone.' })
class Translator extends LlmAgent {}

const TRANSLATOR = Symbol('translator');

class Translations {
  constructor(@inject(TRANSLATOR) private readonly translator: Runner) {}

  /**
   * Translate a text.
   * @param text The text.
   * @param language Language to translate to, such as "Norwegian".
   */
  @tool({ effect: 'read' })
  async translate(text: string, language: string, { userId, signal }: ToolContext): Promise<string> {
    return this.translator.ask(`To ${language}: ${text}`, { userId, signal });
  }
}

/** Desk of a shop: hands questions about money over, and translates. */
@agent({ model: 'gemini-2.5-flash', subAgents: [Billing], tools: [Translations] })
class Desk extends LlmAgent {}

const translating = new ContainerModule(({ bind }) => {
  bind<Runner>(TRANSLATOR)
    .toDynamicValue(() => createRunner(Translator, { model: new ScriptedModel(says('Åpent til fem.')) }))
    .inSingletonScope()
    .onDeactivation((translator) => translator.close());
});
const model = new ScriptedModel(
  callsTool('translate', { text: 'Open until five.', language: 'Norwegian' }),
  says('In Norwegian: Åpent til fem.'),
  callsTool('transfer_to_agent', { agent_name: 'billing' }),
  says('You owe 40 euros.'),
  says('By Friday.'),
);

await using runner = await createRunner(Desk, { modules: [translating], model });
for (const message of ['Say "Open until five" in Norwegian', 'What do I owe?', 'Until when?']) {
  const { events, text } = await runner.run({ userId: 'ada', sessionId: 's1', message });
  console.log(`${events.at(-1)?.author ?? ''}: ${text}`);
}
