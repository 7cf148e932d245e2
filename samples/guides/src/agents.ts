import { says, ScriptedModel } from '@adorn/testing';
import { agent, BaseAgent, createRunner, type Event, type InvocationContext, LlmAgent } from 'adorn';

/** Writes the notice. */
@agent({
  instruction: 'Write a notice for the topic, in one sentence. Respect these remarks: {remarks?}',
  outputKey: 'draft',
  disableTransfer: true,
})
class Writer extends LlmAgent {}

/** Reviews the notice. */
@agent({
  instruction: 'Review this notice: {draft}. Answer "good", or say what to change.',
  outputKey: 'remarks',
  includeContents: 'none',
  disableTransfer: true,
})
class Critic extends LlmAgent {}

/** Lets the writer write and the critic review, until the critic is content, three times at most. */
@agent({ model: 'gemini-2.5-flash', subAgents: [Writer, Critic] })
class Newsroom extends BaseAgent {
  async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
    for (let round = 1; round <= 3; round++) {
      yield* context.invoke(Writer);
      const review = yield* context.invoke(Critic);
      if (review.text === 'good') break;
    }
    const text = `Published: ${String(context.session.state['draft'])}`;
    yield context.event({ author: context.agent.name, content: { role: 'model', parts: [{ text }] } });
  }
}

const model = new ScriptedModel(
  says('The harbour is closed.'),
  says('Say when.'),
  says('The harbour is closed on Monday.'),
  says('good'),
);
await using runner = await createRunner(Newsroom, { model });
for await (const event of runner.run({ userId: 'ada', message: 'The harbour' })) {
  console.log(`${event.author}: ${event.text}`);
}
