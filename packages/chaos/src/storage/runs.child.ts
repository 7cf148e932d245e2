import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { AdornError } from '@adorn/core';

import { openChaosRunner } from './chaos-agent.js';
import type { RunsReport } from './runs-report.js';

/**
 * `runs.child.js URL USER [COUNT]`: runs in five sessions at once, so many times in all or until SIGTERM, and says
 * `SESSION EVENT` for each event that was stored and given to it. Its last line is a report.
 */
const [url = '', userId = '', count = 'Infinity'] = process.argv.slice(2);
const SESSIONS = ['s0', 's1', 's2', 's3', 's4'];

const runner = await openChaosRunner(url);
let left = Number(count);
const ending = new AbortController();
const report: { runs: number; failed: number; errors: Record<string, number> } = {
  runs: 0,
  failed: 0,
  errors: {},
};
process.once('SIGTERM', () => {
  ending.abort();
  void runner.close();
});

await Promise.all(SESSIONS.map(runIn));
await runner.close();
writeSync(1, `${JSON.stringify(report satisfies RunsReport)}\n`);

async function runIn(sessionId: string): Promise<void> {
  while (!isEnding() && left-- > 0) {
    try {
      let hasBegun = false;
      for await (const { id, errorCode } of runner.run({ userId, sessionId, message: 'Count' })) {
        // A run that is cancelled while it waits for its session says so, and stores nothing.
        hasBegun ||= errorCode !== 'CANCELLED';
        if (hasBegun) writeSync(1, `${sessionId} ${id}\n`);
      }
      report.runs++;
    } catch (error) {
      if (isEnding() && AdornError.is(error)) return;
      report.failed++;
      const name = AdornError.is(error) ? error.code : `untyped: ${String(error)}`;
      report.errors[name] = (report.errors[name] ?? 0) + 1;
      await sleep(20);
    }
  }
}

function isEnding(): boolean {
  return ending.signal.aborted;
}
