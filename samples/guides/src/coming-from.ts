import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent, tool, type ToolContext } from 'adorn';

class Expenses {
  /** Reimburse an expense. @param euros Amount in euros. */
  @tool({ effect: 'write', confirm: (euros) => euros > 100 && `Reimburse ${String(euros)} EUR?` })
  reimburse(euros: number, { state }: ToolContext): { reimbursed: number } {
    state.set('user:last_expense', euros);
    return { reimbursed: euros };
  }
}

/** Reimburses the expenses of employees. */
@agent({ model: 'gemini-2.5-flash', instruction: 'Be brief.', tools: [Expenses] })
class Desk extends LlmAgent {}

// Stands for Gemini, so that the program runs without a key.
const model = new ScriptedModel(callsTool('reimburse', { euros: 250 }), says('250 EUR are on their way.'));
await using runner = await createRunner(Desk, { model });

const { text, pending } = await runner.run({ userId: 'ada', sessionId: 's1', message: 'I paid 250 euros' });
if (text !== '') console.log(text);
for (const request of pending) {
  console.log(request.hint);
  const { text: answer } = await runner.approve(request, { by: 'grace' });
  console.log(answer);
}
