import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Check, type Section, timed } from '@adorn/conformance/check';

import { Child } from '../child-process.js';
import { DeedLog } from '../processes/deed-log.js';
import type { Death } from '../processes/life.js';
import type { ScriptWork } from './script.child.js';
import { type CaseName, CASES, type ScriptCase } from './shop.js';
import { chaosSuite, type SuiteOptions } from '../suite.js';

/** No conversation has more writes. */
const MOST_WRITES = 60;

const MOMENTS = ['at once', 'before the next'] as const;

export const scriptsChaos = chaosSuite({
  name: 'scripts',
  takes: 'three to seven minutes',
  summary:
    'the process of a script of codeMode is killed behind each write to its log, also while it waits for ' +
    'a confirmation; another process must end it, with each call made once',
  quick: 'one script of three',
  run: breakScripts,
});

/** Kills the process of a script behind each write to its log; another process takes up the conversation. */
async function* breakScripts({ quick }: SuiteOptions<never>): AsyncGenerator<Section> {
  const names = Object.keys(CASES) as CaseName[];
  const folder = mkdtempSync(join(tmpdir(), 'adorn-scripts-'));
  try {
    for (const name of quick ? names.slice(0, 1) : names)
      yield await timed(name, async () => [
        { name: 'each call once, one result', checks: await behindEachWrite(name, folder) },
      ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function behindEachWrite(name: CaseName, folder: string): Promise<Check[]> {
  const checks: Check[] = [];
  for (const moment of MOMENTS)
    for (let behind = 1; behind < MOST_WRITES; behind++) {
      const base = join(folder, `${name} ${moment} ${String(behind)}`);
      const { isKilled, fault } = await round(name, base, { behind, moment });
      if (!isKilled) break;
      checks.push({ what: `behind write ${String(behind)}, ${moment}`, fault });
    }
  if (checks.length < MOMENTS.length * 10)
    checks.push({ what: 'deaths', fault: 'hardly a process has died' });
  return checks;
}

async function round(
  name: CaseName,
  base: string,
  death: Death,
): Promise<{ isKilled: boolean; fault?: string }> {
  const work: ScriptWork = { name, database: `${base}.db`, deeds: `${base}.deeds` };
  const first = childFor({ ...work, death });
  const firstFault = await first.fault();
  if (firstFault === undefined) return { isKilled: false };
  if ((await first.ended) !== null) return { isKilled: true, fault: firstFault };
  const next = childFor(work);
  const fault = (await next.fault()) ?? faultOf(CASES[name], next.lines[0] ?? '""', new DeedLog(work.deeds));
  return fault === undefined ? { isKilled: true } : { isKilled: true, fault };
}

function childFor(work: ScriptWork): Child {
  return new Child('script.child.js', import.meta.url, [JSON.stringify(work)]);
}

/** A call that can be repeated has one key, so that its effect is one; any other is made once, or its outcome is unknown. */
function faultOf(
  { idempotent, result, effects }: ScriptCase,
  line: string,
  log: DeedLog,
): string | undefined {
  const text = JSON.parse(line) as string;
  const deeds = log.of('s1');
  for (const effect of new Set([...effects, ...deeds.map(({ tool }) => tool)])) {
    const keys = deeds.filter(({ tool }) => tool === effect).map(({ key }) => key);
    const isRepeatable = idempotent || effect.startsWith('look_up');
    const made = isRepeatable ? new Set(keys).size : keys.length;
    if (made > 1 || !effects.includes(effect)) return `${effect} was made ${String(made)} times`;
    if (made === 0 && !isUnknown(text)) return `${effect} was not made`;
  }
  if (text.includes(JSON.stringify({ outcome: 'OUTCOME_OK', output: '', result }))) return undefined;
  return !idempotent && isUnknown(text) ? undefined : `the last text is ${text}`;
}

/** True if the script has read that a call may or may not have had its effect. */
function isUnknown(text: string): boolean {
  return text.includes('outcome unknown');
}
