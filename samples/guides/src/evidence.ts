import { generateKeyPairSync } from 'node:crypto';

import { exportEvidence, verifyEvidence } from '@adorn/evidence';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent, tool } from 'adorn';

class Payments {
  /**
   * Pays an expense.
   *
   * @param receipt the number of the receipt
   * @param cents the amount
   */
  @tool({
    effect: 'write',
    confirm: (_receipt, cents) => `Pay ${String(cents)} cents?`,
    approvers: { role: 'manager' },
  })
  pay(receipt: string, cents: number) {
    return { receipt, paid: cents };
  }
}

@agent({
  model: new ScriptedModel(callsTool('pay', { receipt: 'R-17', cents: 900 }), says('Paid.')),
  tools: [Payments],
})
class Desk extends LlmAgent {}

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
await using runner = await createRunner(Desk);

const { pending } = await runner.run({ userId: 'ada', sessionId: 's1', message: 'Pay my taxi.' });
const mia = { id: 'mia', roles: ['manager'] };
for (const request of pending)
  await runner.approve(request, { by: mia, args: { receipt: 'R-17', cents: 700 } });

const lines: string[] = [];
for await (const line of exportEvidence(runner, { userId: 'ada', signWith: privateKey })) lines.push(line);
for (const line of lines) console.log(summaryOf(JSON.parse(line) as Row));

console.log(
  await verifyEvidence(lines, { publicKey }).then(({ isIntact, signature }) => ({ isIntact, signature })),
);
const changed = lines.map((line) => line.replace('"mia"', '"max"'));
console.log((await verifyEvidence(changed, { publicKey })).fault?.message);
console.log((await verifyEvidence(lines.toSpliced(5, 1), { publicKey })).fault?.message);

/** A row in a few words. */
function summaryOf({ no, kind, by, verdict, contents }: Row): string {
  const shown = contents?.hint ?? JSON.stringify(contents?.args ?? contents?.response ?? '');
  return [no, kind, by?.id, by?.roles.join(), verdict, shown]
    .filter((part) => part !== undefined && part !== '' && part !== '""')
    .join(' ');
}

interface Row {
  readonly no: number;
  readonly kind: string;
  readonly by?: { readonly id: string; readonly roles: readonly string[] };
  readonly verdict?: string;
  readonly contents?: { readonly hint?: string; readonly args?: unknown; readonly response?: unknown };
}
