import { serveA2a } from '@adorn/a2a';
import { createRunner } from '@adorn/core';
import { callsTool, says, ScriptedModel } from '@adorn/testing';

import type { Check } from '../check.js';
import { findDifference } from '../find-difference.js';
import { firstLine, startProgram } from './google-program.js';
import { orderDesk } from '../order-desk.js';

const ASKED = { name: 'adk_request_confirmation', hint: 'Refund it?', errors: [] };

/** What the agent of the ADK has to get. */
const EXPECTED = {
  answered: { text: 'It is on its way.', errors: [], calls: [] },
  approved: { asked: ASKED, then: { text: 'Refunded.', errors: [], calls: [] } },
  denied: { asked: ASKED, then: { text: 'As you like.', errors: [], calls: [] } },
} as const;

/** An agent of Google's ADK asks an agent of Adorn over A2A, and answers its question. */
export async function answerAdk(folder: string): Promise<Check[]> {
  const refunds: string[] = [];
  const model = new ScriptedModel(
    callsTool('find_order', { orderId: 'A' }),
    says('It is on its way.'),
    callsTool('refund', { orderId: 'A' }),
    says('Refunded.'),
    callsTool('refund', { orderId: 'B' }),
    says('As you like.'),
  );
  await using runner = await createRunner(orderDesk(refunds), { model });
  const serving = await serveA2a(runner, { port: 0, authenticate: () => 'ada', approve: () => true });
  try {
    const program = startProgram(folder, 'a2a-client.mjs', serving.url);
    const got = JSON.parse(await firstLine(program)) as Record<string, unknown>;
    return [
      ...Object.entries(EXPECTED).map(([what, expected]) => ({
        what,
        fault: findDifference(expected, got[what]),
      })),
      { what: 'refunds', fault: findDifference(['A'], refunds) },
    ];
  } finally {
    await serving.close();
  }
}
