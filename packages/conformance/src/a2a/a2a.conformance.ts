import { join } from 'node:path';

import { serveA2a } from '@adorn/a2a';

import { type Check, type Section, timed } from '../check.js';
import type { Suite } from '../suite.js';
import { EXPLAINED } from './explained.js';
import { type Category, type KitResult, type KitTransport, requirePython, runKit } from './kit.js';
import { Patient } from './patient-agent.js';

/** The A2A project's own kit for revision 0.3, against a served agent. */
export const a2aConformance: Suite = {
  name: 'a2a',
  summary: 'the compatibility kit of the A2A project against serveA2a',
  takes: 'a minute',
  folder: 'a2a-tck',
  async *run(fixtures): AsyncIterable<Section> {
    await requirePython();
    const kit = join(fixtures, 'a2a-tck');
    for (const transport of ['jsonrpc', 'rest'] as const)
      for (const category of ['mandatory', 'capabilities'] as const)
        yield await section(kit, category, transport);
  },
};

/** The tests of a category. Those that do not apply are noted with the kit's reason, and explained failures with ours. */
async function section(kit: string, category: Category, transport: KitTransport): Promise<Section> {
  // The webhooks of the kit are on this machine.
  await using serving = await serveA2a(Patient, { webhookHosts: ['localhost'] });
  const leftOut: string[] = [];
  const result = await timed(`${category}, ${transport}`, async () => {
    const results = await runKit(kit, { url: serving.url, category, transport });
    leftOut.push(...skippedIn(results));
    return [{ name: 'tests', checks: results.flatMap((one) => judged(one, transport, leftOut)) }];
  });
  return { ...result, leftOut };
}

function judged({ test, outcome, reason }: KitResult, transport: KitTransport, leftOut: string[]): Check[] {
  if (outcome === 'skipped') return [];
  const explained = EXPLAINED[`${transport} ${test}`];
  if (explained === undefined) return [{ what: test, fault: outcome === 'failed' ? reason : undefined }];
  if (outcome === 'passed') return [{ what: test, fault: 'it passes, but is noted as one that does not' }];
  leftOut.push(`${test} fails: ${explained}`);
  return [];
}

/** The tests that the kit did not run, by its reason. */
function skippedIn(results: readonly KitResult[]): string[] {
  const byReason = new Map<string, string[]>();
  for (const { test, outcome, reason } of results) {
    if (outcome !== 'skipped') continue;
    byReason.set(reason, [...(byReason.get(reason) ?? []), test.replace(/^.*::/, '')]);
  }
  return [...byReason].map(([reason, tests]) => `not covered (${reason}): ${tests.join(', ')}`);
}
