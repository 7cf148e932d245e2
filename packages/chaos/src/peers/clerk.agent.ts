import { agent, BaseAgent, type Event, type InvocationContext } from '@adorn/core';

/** What the served agent answers at the end: there must be one of it. */
export const ORDERED = 'Ordered M.';

/** The served agent: it works, asks, and answers. Each step is in its log. */
@agent({ name: 'clerk', description: 'Takes an order.' })
export class Clerk extends BaseAgent {
  override async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
    await context.once('looked up', () => true);
    const answer = yield* context.requestInput({ message: 'Which size?' });
    if (answer.kind === 'rejected') return;
    await context.once('reserved', () => true);
    const text = `Ordered ${String(answer.value)}.`;
    yield context.event({ author: 'clerk', content: { role: 'model', parts: [{ text }] } });
  }
}
