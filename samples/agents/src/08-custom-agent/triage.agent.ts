import { agent, BaseAgent, type Event, inject, type InvocationContext, LlmAgent } from 'adorn';

/** The opening hours of the office: an ordinary class of the application. */
export class OfficeHours {
  constructor(private readonly hour: () => number = () => new Date().getHours()) {}

  isOpen(): boolean {
    const hour = this.hour();
    return hour >= 8 && hour < 17;
  }
}

/** Classifies a message. */
@agent({ instruction: 'Answer with one word: "urgent" or "normal".' })
class Classifier extends LlmAgent {}

/** Answers messages. */
@agent({ instruction: 'Answer the message in one sentence.' })
class Clerk extends LlmAgent {}

/** Decides in code who answers: an urgent message outside the office hours goes to the person on duty. */
@agent({ model: 'gemini-2.5-flash', subAgents: [Classifier, Clerk] })
export class Triage extends BaseAgent {
  constructor(@inject(OfficeHours) private readonly office: OfficeHours) {
    super();
  }

  async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
    const { text } = yield* context.invoke(Classifier);
    const isOpen = await context.once('isOpen', () => this.office.isOpen());
    if (isOpen || text !== 'urgent') {
      yield* context.invoke(Clerk);
      return;
    }
    const content = { role: 'model', parts: [{ text: 'The person on duty will call you.' }] };
    yield context.event({ author: context.agent.name, content });
  }
}
