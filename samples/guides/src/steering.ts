import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent, tool } from 'adorn';

const address = { userId: 'ada', sessionId: 's1' };

class Invoices {
  /** Find invoices. @param year Their year. */
  @tool()
  async find(year: number): Promise<{ found: number }> {
    // While the tool works, the user writes again: here, or at another server.
    if (year === 2024) await runner.send(address, 'Only those of 2026, please.');
    return { found: year };
  }
}

/** Looks after invoices. */
@agent({ tools: [Invoices] })
class Clerk extends LlmAgent {}

const model = new ScriptedModel(
  callsTool('find', { year: 2024 }),
  callsTool('find', { year: 2026 }),
  says('There is one of 2026.'),
);
await using runner = await createRunner(Clerk, { model });

for await (const event of runner.run({ ...address, message: 'Find all invoices since 2024.' }))
  console.log(event.author, event.text || event.functionCalls[0]?.name || 'result');
