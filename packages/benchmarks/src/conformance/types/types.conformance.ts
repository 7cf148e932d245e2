import { join } from 'node:path';

import { type CheckGroup, type Section, timed } from '../check.js';
import type { Suite } from '../suite.js';
import { deriveCases } from './derive-cases.js';
import { judgeCase, type Outcome, type Verdict } from './judge-case.js';
import { readTypeCases, type TypeCase } from './type-case.js';

const FOLDER = 'ts-types';
const OUTCOMES: readonly Outcome[] = ['agrees', 'error as demanded', 'quirk', 'differs'];

/** The inputs of two generators' own suites, each as the parameter of a tool, held to the schema expected of it. */
export const typesConformance: Suite = {
  name: 'types',
  summary: "two schema generators' own inputs as parameters of tools, compared by instances",
  takes: 'about 20 seconds',
  folder: FOLDER,
  async *run(fixtures: string): AsyncGenerator<Section> {
    const cases = readTypeCases(join(fixtures, FOLDER));
    for (const corpus of new Set(cases.map((one) => one.corpus))) {
      const own = cases.filter((one) => one.corpus === corpus);
      for (const isObject of [true, false]) {
        const kind = isObject ? 'objects' : 'others';
        yield await sectionOf(
          `${corpus}, ${kind}`,
          own.filter((one) => one.isObject === isObject),
        );
      }
    }
  },
};

interface Judged {
  readonly name: string;
  readonly verdict: Verdict;
}

async function sectionOf(name: string, cases: readonly TypeCase[]): Promise<Section> {
  let judged: Judged[] = [];
  const section = await timed(name, () => {
    const derived = deriveCases(cases);
    judged = cases.map((one, index) => ({
      name: one.name,
      verdict: judgeCase(one, derived[index] ?? [], index + 1),
    }));
    return Promise.resolve(OUTCOMES.flatMap((outcome) => groupOf(outcome, judged)));
  });
  return { ...section, leftOut: judged.flatMap(tell) };
}

function groupOf(outcome: Outcome, judged: readonly Judged[]): CheckGroup[] {
  const own = judged.filter(({ verdict }) => verdict.outcome === outcome);
  const checks = own.map(({ name, verdict }) => ({
    what: name,
    fault: outcome === 'differs' ? (verdict.reason ?? 'it differs') : undefined,
  }));
  return checks.length === 0 ? [] : [{ name: outcome, checks }];
}

/** Errors and quirks in full: nothing was compared of the former, and nothing is held against the latter. */
function tell({ name, verdict: { outcome, reason = '' } }: Judged): string[] {
  return outcome === 'error as demanded' || outcome === 'quirk' ? [`${name} (${outcome}: ${reason})`] : [];
}
