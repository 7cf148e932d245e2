import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent, tool, type ToolContext } from 'adorn';

class Tables {
  /** Book a table. @param guests Number of guests. */
  @tool
  async bookTable(guests: number, context: ToolContext): Promise<{ booked: string }> {
    const day = await context.requestInput<string>({
      message: 'For which day?',
      schema: { type: 'string', format: 'date' },
    });
    if (guests > 8) context.requestConfirmation(`Book ${String(guests)} seats on ${day}?`);
    return { booked: `${String(guests)} seats on ${day}` };
  }
}

/** Takes reservations. */
@agent({ model: 'gemini-2.5-flash', tools: [Tables] })
class Waiter extends LlmAgent {}

const model = new ScriptedModel(callsTool('book_table', { guests: 12 }), says('The table is booked.'));
await using runner = await createRunner(Waiter, { model });

let result = await runner.run({ userId: 'ada', message: 'A table for twelve, please' });
for (let [request] = result.pending; request !== undefined; [request] = result.pending) {
  console.log(`${request.kind}: ${request.hint ?? ''}`);
  result = await (request.kind === 'input' ? runner.supply(request, '2027-05-17') : runner.approve(request));
}
console.log(result.text);
