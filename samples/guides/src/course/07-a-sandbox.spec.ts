import { quickJs } from '@adorn/sandbox';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { createRunner, defineAgent, tool } from 'adorn';
import { codeMode } from 'adorn/backend';

import { expectPicture, sceneOf } from './picture.fixture.js';

const ended: string[] = [];

class Loans {
  /** The open loans. */
  @tool({ effect: 'read' })
  openLoans(): { book: string; days: number }[] {
    return [
      { book: 'Emma', days: 40 },
      { book: 'Persuasion', days: 3 },
    ];
  }

  /** End a loan. @param book Its title. */
  @tool({ effect: 'write', confirm: (book) => `End the loan of "${book}"?` })
  endLoan(book: string): string {
    ended.push(book);
    return `Ended: ${book}`;
  }
}

it('lets a script of the model call tools, and asks for each call that needs a yes', async () => {
  const code = `
for (const { book, days } of await open_loans({})) if (days > 30) await end_loan({ book });
return 'done';`;
  const model = new ScriptedModel(callsTool('run_script', { code }), says('One loan has ended.'));
  const sandbox = quickJs({ timeout: 2_000 });
  const Clerk = defineAgent({
    name: 'clerk',
    description: 'Keeps the loans.',
    model,
    tools: [codeMode(sandbox, { tools: [Loans] })],
  });
  await using runner = await createRunner(Clerk);

  const { pending } = await runner.run({ userId: 'ada', message: 'End what is late.' });
  expect([pending[0]?.hint, ended]).toEqual(['End the loan of "Emma"?', []]);
  const { text } = await runner.approve(pending[0]!);

  expect([text, ended]).toEqual(['One loan has ended.', ['Emma']]);
  await sandbox.close();
  await expectPicture('07-a-sandbox', await sceneOf(runner));
});
