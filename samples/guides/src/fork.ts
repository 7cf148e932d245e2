import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent, tool } from 'adorn';

class Trips {
  /** Book a trip. @param to Where to. */
  @tool({ confirm: true })
  book(to: string): { booked: string } {
    return { booked: to };
  }
}

/** Plans trips. */
@agent({ tools: [Trips] })
class Planner extends LlmAgent {}

const model = new ScriptedModel(
  says('By plane it takes two hours.'),
  callsTool('book', { to: 'Rome, by plane' }),
  says('By train it takes a day.'),
);
await using runner = await createRunner(Planner, { model });
const address = { userId: 'ada', sessionId: 's1' };

const first = await runner.run({ ...address, message: 'How do I get to Rome?' });
await runner.run({ ...address, message: 'Book it.' });

const copy = await runner.fork({ ...address, at: first.events.at(-1)?.id });
console.log(await runner.ask('And by train?', copy));

const whole = await runner.fork({ ...address, to: { sessionId: 's2' } });
console.log((await runner.pending(address)).length, (await runner.pending(whole)).length);
