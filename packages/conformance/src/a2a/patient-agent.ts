import { setTimeout } from 'node:timers/promises';

import { agent, BaseAgent, type Event, type InvocationContext } from '@adorn/core';

/** Milliseconds that it works before it asks: the kit subscribes to a task meanwhile. */
const WORK_MS = 200;

/** An agent whose task is never done: it answers what it is told, and asks for more. The kit continues and cancels its tasks. */
@agent({ name: 'patient', description: 'Answers each message and waits for the next one.' })
export class Patient extends BaseAgent {
  override async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
    let said: unknown = context.userContent?.parts?.map(({ text }) => text ?? '').join('');
    for (let round = 0; ; round++) {
      await context.once(`work/${String(round)}`, () => setTimeout(WORK_MS, true));
      const answer = yield* context.requestInput({ message: `I heard ${JSON.stringify(said)}. What else?` });
      if (answer.kind === 'rejected') return;
      said = answer.value;
    }
  }
}
