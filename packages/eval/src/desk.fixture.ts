import { createRunner, defineAgent, FunctionTool, Model, type ModelRequest, type Runner } from '@adorn/core';
import type { FunctionToolFields } from '@adorn/core/backend';
import { callsTool, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import type { EvalCase, EvalSet } from './eval-set.js';

/** A refund desk, and the till that it pays from. */
export interface Desk {
  readonly runner: Runner<unknown>;
  /** The orders that were paid back, once for each payment. */
  readonly paid: unknown[];
}

/** A desk whose model says the steps. Its tool is destructive, and so asks first. */
export async function openDesk(
  model: Model | readonly ScriptedStep[] = REFUND,
  options: Partial<FunctionToolFields> = {},
): Promise<Desk> {
  const paid: unknown[] = [];
  const keys = new Set<string>();
  const refund = new FunctionTool({
    name: 'refund',
    description: 'Pays an order back.',
    parameters: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
    effect: 'destructive',
    ...options,
    run: ({ order }, { idempotencyKey }) => {
      // A bank knows a payment by its key, if it is told one.
      if (options.idempotent === true && keys.has(idempotencyKey)) return { refunded: order };
      keys.add(idempotencyKey);
      paid.push(order);
      return { refunded: order };
    },
  });
  const look = new FunctionTool({
    name: 'look',
    description: 'Looks an order up.',
    parameters: { type: 'object', properties: { order: { type: 'string' } } },
    effect: 'read',
    run: ({ order }) => ({ order, cents: 900 }),
  });
  const used = Array.isArray(model) ? new ScriptedModel(...(model as ScriptedStep[])) : (model as Model);
  return {
    runner: await createRunner(defineAgent({ name: 'desk', model: used, tools: [refund, look] })),
    paid,
  };
}

/** Refunds A-17 once in each turn, whichever process asks it. */
export class RefundModel extends Model {
  readonly name = 'refunds';

  override async *generate({ contents }: ModelRequest) {
    const isAnswered = contents.at(-1)?.parts?.some(({ functionResponse }) => functionResponse) === true;
    const call = { functionCall: { name: 'refund', args: { order: 'A-17' } } };
    yield { content: { role: 'model', parts: [isAnswered ? { text: 'Done.' } : call] } };
  }
}

/** A refund of the order A-17. */
export const REFUND: readonly ScriptedStep[] = [callsTool('refund', { order: 'A-17' }), says('Done.')];

/** A case with one message. */
export function refundCase(more: Partial<EvalCase> = {}): EvalCase {
  const userContent = { role: 'user', parts: [{ text: 'Refund A-17.' }] };
  return { evalId: 'refund', conversation: [{ userContent }], ...more };
}

export function setOfCases(...evalCases: EvalCase[]): EvalSet {
  return { evalSetId: 'desk', evalCases };
}
