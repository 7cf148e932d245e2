import { createRunner, defineAgent, FunctionTool, type PendingRequest, type Runner } from '@adorn/core';
import type { ApproverRule } from '@adorn/core/backend';
import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

export const ADA = { userId: 'ada', sessionId: 's1' };
export const MIA = { id: 'mia', roles: ['manager'] };
export const MAX = { id: 'max', roles: ['manager'] };

interface DeskOptions {
  readonly steps?: readonly ScriptedStep[];
  readonly approvers?: ApproverRule;
}

/** A desk that pays expenses, each once, when a manager has approved it. */
export function desk({ steps = [], approvers = { role: 'manager' } }: DeskOptions = {}): Promise<Runner> {
  const pay = new FunctionTool({
    name: 'pay',
    description: 'Pays an expense.',
    effect: 'write',
    parameters: { type: 'object', properties: { order: { type: 'string' }, cents: { type: 'number' } } },
    confirm: ({ cents }) => `Pay ${String(cents)} cents?`,
    approvers: () => approvers,
    once: ({ order }) => ({ order: String(order) }),
    run: ({ cents }) => {
      if (Number(cents) < 0) throw new Error('nothing to pay');
      return { paid: cents };
    },
  });
  const model = new ScriptedModel(...(steps.length > 0 ? steps : paying()));
  return createRunner(defineAgent({ name: 'desk', model, tools: [pay] }));
}

/** What the model says of one expense. */
export function paying(order = 'A-17', cents = 900): ScriptedStep[] {
  return [callsTool('pay', { order, cents }), says('Paid.')];
}

/** The only open request. */
export async function only(runner: Runner, address = ADA): Promise<PendingRequest> {
  const [request, ...others] = await runner.pending(address);
  if (!request || others.length > 0) throw new Error('There is not one request.');
  return request;
}

/** Asks for an expense, and lets a manager approve it with other arguments. */
export async function paid(runner: Runner, address = ADA): Promise<void> {
  await runner.run({
    ...address,
    message: 'Pay my taxi.',
    by: { id: address.userId, attributes: { team: 'toys' } },
  });
  const request = await only(runner, address);
  await eventsOf(runner.approve(request, { by: MIA, channel: 'web', args: { order: 'A-17', cents: 700 } }));
}

export async function linesOf(lines: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const line of lines) found.push(line);
  return found;
}
