import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { AdornError, agent, createRunner, LlmAgent, tool } from 'adorn';

class Expenses {
  /**
   * File an expense.
   * @param cents Amount in cents.
   */
  @tool({
    effect: 'write',
    confirm: (cents) => cents > 20_000 && `File ${String(cents / 100)} EUR?`,
    approvers: (cents, { requester }) =>
      cents > 500_000 ? { role: 'manager', of: requester.attributes['team'], count: 2 } : { role: 'manager' },
  })
  file(cents: number): { filed: number } {
    return { filed: cents };
  }
}

/** Files expenses. */
@agent({ model: 'gemini-2.5-flash', tools: [Expenses] })
class Desk extends LlmAgent {}

const model = new ScriptedModel(callsTool('file', { cents: 90_000 }), says('Filed.'));
await using runner = await createRunner(Desk, { model });

const ada = { id: 'ada', tenant: 'acme', attributes: { team: 'books' } };
const mia = { id: 'mia', roles: ['manager'], tenant: 'acme', attributes: { team: 'books' } };
const conversation = { userId: 'ada', sessionId: 'may' };

await runner.run({ ...conversation, message: 'File 900 euros for the fair.', by: ada });
for (const who of [ada, mia]) {
  const [request] = await runner.pending({ ...conversation, for: who });
  console.log(who.id, 'may answer:', request?.hint ?? 'nothing');
}

const max = { ...mia, id: 'max' };
for (const answer of [
  { by: ada },
  { by: { ...mia, tenant: 'globex' } },
  { by: mia, remember: 'session' as const },
  { by: mia, args: { cents: 600_000 } },
  { by: mia, args: { cents: 600_000 } },
  { by: max },
  { by: max, args: { cents: 600_000 } },
])
  console.log(answer.by.id, await answered(answer));

/** Approves what waits. Who may not approve it changes nothing: the request stays open. */
async function answered(options: Parameters<typeof runner.approve>[1]): Promise<string> {
  const [request] = await runner.pending(conversation);
  if (request === undefined) return 'nothing waits';
  try {
    const { status, text } = await runner.approve(request, options);
    return status === 'answered' ? text : status;
  } catch (error) {
    if (AdornError.is(error)) return error.code;
    throw error;
  }
}
