import { callsTool, says, ScriptedModel } from '@adorn/testing';
import {
  agent,
  BaseAgent,
  createRunner,
  type Event,
  type InvocationContext,
  joinText,
  LlmAgent,
  tool,
  type ToolContext,
} from 'adorn';

class HandOver {
  /**
   * Hand the conversation over to a person of the support team, who answers from the next message on.
   * @param summary What the customer wants, for the person.
   */
  @tool({ effect: 'write' })
  callPerson(summary: string, context: ToolContext): string {
    context.state.set('withPerson', summary);
    return 'Tell the customer that a person answers the next message.';
  }
}

/** Answers questions of customers. */
@agent({
  instruction: 'Call a person if the customer asks for one.',
  tools: [HandOver],
  disableTransfer: true,
})
class Assistant extends LlmAgent {}

/** The desk: the assistant answers, or a person. */
@agent({ model: 'gemini-2.5-flash', subAgents: [Assistant] })
class Desk extends BaseAgent {
  async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
    const summary = context.session.state['withPerson'];
    if (typeof summary !== 'string') {
      yield* context.invoke(Assistant);
      return;
    }

    const answer = yield* context.requestInput({
      message: `${summary} The customer writes: ${joinText(context.userContent)}`,
      schema: {
        type: 'object',
        properties: { text: { type: 'string' }, isSolved: { type: 'boolean' } },
        required: ['text', 'isSolved'],
      },
      approvers: { role: 'support' },
    });
    if (answer.kind !== 'answered') return;
    const { text, isSolved } = answer.value as { text: string; isSolved: boolean };
    yield context.event({
      author: context.agent.name,
      content: { role: 'model', parts: [{ text }] },
      actions: { stateDelta: isSolved ? { withPerson: null } : {} },
    });
  }
}

const model = new ScriptedModel(
  callsTool('call_person', { summary: 'The parcel of order A-17 is lost.' }),
  says('A colleague answers your next message.'),
  says('You are welcome.'),
);
await using runner = await createRunner(Desk, { model });
const ada = { userId: 'ada', sessionId: 'may' };
const mia = { id: 'mia', roles: ['support'] };

await say('I want to speak to a person.');
await say('My parcel is lost.');

const [waiting] = (await runner.inbox({ for: mia })).requests;
if (waiting) {
  console.log('In the inbox of Mia:', waiting.hint);
  const value = { text: 'I am sorry. A new one leaves today.', isSolved: true };
  const { text } = await runner.supply(waiting, value, { by: mia });
  console.log('Ada reads:', text);
}
await say('Thank you!');

async function say(message: string): Promise<void> {
  const { status, text } = await runner.run({ ...ada, message });
  console.log(`> ${message}\n${status}: ${text}`);
}
