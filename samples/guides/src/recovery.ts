import { says, ScriptedModel } from '@adorn/testing';
import {
  agent,
  ContainerModule,
  createRunner,
  Event,
  InMemorySessionService,
  LlmAgent,
  SessionService,
  tool,
} from 'adorn';

class Payments {
  /** Pay an invoice. @param invoiceId Number of the invoice. */
  @tool({ effect: 'write', idempotent: true })
  payInvoice(invoiceId: string): { paid: string } {
    console.log(`pays ${invoiceId}`);
    return { paid: invoiceId };
  }
}

/** Pays invoices. */
@agent({ model: 'gemini-2.5-flash', tools: [Payments] })
class Clerk extends LlmAgent {}

// What is left by a process that died ten minutes ago, while the tool ran.
const sessions = new InMemorySessionService();
const key = { appName: 'clerk', userId: 'ada', sessionId: 's1' };
const stamp = { invocationId: 'e-1', timestamp: Date.now() / 1000 - 600 };
const call = { functionCall: { id: 'c1', name: 'pay_invoice', args: { invoiceId: 'A-17' } } };
const message = { role: 'user', parts: [{ text: 'Pay A-17, please.' }] };
const events = [
  new Event({ ...stamp, author: 'user', content: message }),
  new Event({ ...stamp, author: 'clerk', content: { role: 'model', parts: [call] } }),
];
await sessions.importSession(key, { state: {}, events });

await using runner = await createRunner(Clerk, {
  appName: 'clerk',
  model: new ScriptedModel(says('A-17 is paid.')),
  modules: [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions))],
});
for (const { userId, sessionId, outcome, attempt, result } of await runner.recover()) {
  console.log(`${userId}/${sessionId}: ${outcome} at attempt ${String(attempt)}, "${result?.text ?? ''}"`);
}
console.log(await runner.recover());
