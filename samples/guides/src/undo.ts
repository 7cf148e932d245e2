import { callsTools, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent, tool, undo } from 'adorn';
import type { UndoReport } from 'adorn/backend';

interface Filed {
  id: string;
}

class Expenses {
  /**
   * Files an expense.
   *
   * @param cents the amount
   */
  @tool({ effect: 'write' })
  file(cents: number): Filed {
    console.log(`filed ${String(cents)} cents`);
    return { id: `E-${String(cents)}` };
  }

  @undo('file', { confirm: ({ id }: Filed) => id === 'E-900' && 'Withdraw 900 cents?' })
  withdraw({ id }: Filed) {
    console.log(`withdrew ${id}`);
  }

  /** Tells the bookkeeper. */
  @tool({ effect: 'write' })
  tell() {
    return 'told';
  }
}

const model = new ScriptedModel(
  callsTools(
    { name: 'file', args: { cents: 900 } },
    { name: 'file', args: { cents: 200 } },
    { name: 'tell', args: {} },
  ),
  says('Done.'),
);

@agent({ model, tools: [Expenses] })
class Desk extends LlmAgent {}

await using runner = await createRunner(Desk);

const { invocationId, userId, sessionId } = await runner.run({ message: 'File 900 and 200, and tell her.' });
const { undo: first, pending } = await runner.undo({ userId, sessionId, invocationId, by: 'mia' });
show(first);
for (const request of pending) show((await runner.approve(request, { by: 'mia' })).undo);

function show(report: UndoReport | undefined) {
  for (const { tool: name, outcome, reason } of report?.calls ?? [])
    console.log(name, outcome, ...(reason === undefined ? [] : ['-', reason]));
}
