import { createRunner } from '@adorn/core';
import { serve } from '@adorn/server';
import { callsTool, ScriptedModel, streams } from '@adorn/testing';

import type { Check } from '../check.js';
import { findDifference } from '../find-difference.js';
import { firstLine, startProgram } from './google-program.js';
import { orderDesk } from '../order-desk.js';

/** What Google's client has to get of each of its calls. */
const EXPECTED = {
  apps: ['desk'],
  created: 's1',
  whole: [
    { author: 'desk', partial: false, parts: ['functionCall'] },
    { author: 'desk', partial: false, parts: ['functionResponse'] },
    { author: 'desk', partial: false, parts: ['It is on its way.'] },
  ],
  streamed: [
    { author: 'desk', partial: true, parts: ['Still '] },
    { author: 'desk', partial: true, parts: ['on its way.'] },
    { author: 'desk', partial: false, parts: ['Still on its way.'] },
  ],
  missing: { thrown: 'Session not found: nowhere' },
  session: { city: 'Oslo', events: 6 },
  listed: ['s1'],
  artifacts: [],
} as const;

/** Google's `AdkApiClient` reads every event of `/run_sse`, and the errors of the other routes. */
export async function serveApiClient(folder: string): Promise<Check[]> {
  const model = new ScriptedModel(
    callsTool('find_order', { orderId: 'A' }),
    streams('It is ', 'on its way.'),
    streams('Still ', 'on its way.'),
  );
  await using runner = await createRunner(orderDesk(), { model });
  const server = await serve(runner, { port: 0, page: false, authenticate: () => 'ada' });
  try {
    const program = startProgram(folder, 'api-client.mjs', server.url, 'desk');
    const got = JSON.parse(await firstLine(program)) as Record<string, unknown>;
    return Object.entries(EXPECTED).map(([what, expected]) => ({
      what,
      fault: findDifference(expected, got[what]),
    }));
  } finally {
    await server.close();
  }
}
