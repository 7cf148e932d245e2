import { join } from 'node:path';

import { type CheckGroup, type Section, timed } from '../check.js';
import type { Suite } from '../suite.js';
import { valuesOf } from './compare-schemas.js';
import { type Derived, deriveCases } from './derive-cases.js';
import { judgeCase, type Outcome, type Verdict } from './judge-case.js';
import { judgeResult, type ResultOutcome } from './judge-result.js';
import { RESULT_QUIRKS } from './expectations.js';
import { OWN_RESULTS, ownCases } from './own-results.js';
import { readTypeCases, type TypeCase } from './type-case.js';

const FOLDER = 'ts-types';
const OUTCOMES: readonly Outcome[] = ['agrees', 'error as demanded', 'quirk', 'differs'];
const RESULT_OUTCOMES: readonly ResultOutcome[] = ['fits', 'promises nothing', 'differs'];

/**
 * The inputs of two generators' own suites: each as the parameter of a tool, held to the schema expected of it, and as
 * its result, where values that the expected schema allows are sent through the tool and held to what it declares.
 */
export const typesConformance: Suite = {
  name: 'types',
  summary: "two schema generators' own inputs as parameters and results of tools, compared by instances",
  takes: 'about 30 seconds',
  folder: FOLDER,
  async *run(fixtures: string): AsyncGenerator<Section> {
    const cases = readTypeCases(join(fixtures, FOLDER));
    for (const corpus of new Set(cases.map((one) => one.corpus))) {
      const own = cases.filter((one) => one.corpus === corpus);
      for (const isObject of [true, false]) {
        const some = own.filter((one) => one.isObject === isObject);
        yield* sectionsOf(`${corpus}, ${isObject ? 'objects' : 'others'}`, some);
      }
    }
    yield await ownSection();
  },
};

interface Judged {
  readonly name: string;
  readonly verdict: Verdict;
}

/** The cases as parameters, and then as results. */
async function* sectionsOf(name: string, cases: readonly TypeCase[]): AsyncGenerator<Section> {
  let derived: Derived[][] = [];
  let judged: Judged[] = [];
  const section = await timed(name, () => {
    derived = deriveCases(cases);
    judged = cases.map((one, index) => ({
      name: one.name,
      verdict: judgeCase(one, derived[index] ?? [], index + 1),
    }));
    return Promise.resolve(OUTCOMES.flatMap((outcome) => groupOf(outcome, judged)));
  });
  yield { ...section, leftOut: judged.flatMap(tell) };
  yield await resultSection(
    `${name}, as results`,
    cases.map(({ name: type, folder, expected }, index) => {
      const isSent = judged[index]?.verdict.outcome === 'agrees' && !RESULT_QUIRKS.includes(folder);
      const results = (derived[index] ?? []).map(({ result }) => result);
      return { type, results, values: isSent ? valuesOf(expected, index + 1) : [] };
    }),
  );
}

function ownSection(): Promise<Section> {
  const derived = deriveCases(ownCases());
  return resultSection(
    'values of the platform and of classes, as results',
    OWN_RESULTS.map((own, index) => ({
      ...own,
      results: (derived[index] ?? []).map(({ result }) => result),
    })),
  );
}

/** A type with what was derived of it as a result, and values of it. */
interface ResultCase {
  readonly type: string;
  /** Of several types of one name, one has to fit. */
  readonly results: readonly Derived['result'][];
  readonly values: readonly unknown[];
}

/** Types without a value to send are left out: of the inputs, those whose expected schema says something else. */
async function resultSection(name: string, cases: readonly ResultCase[]): Promise<Section> {
  const sent = cases.filter(({ values }) => values.length > 0);
  const section = await timed(name, async () => {
    const checks = await Promise.all(
      sent.map(async ({ type, results, values }) => {
        const verdicts = await Promise.all(results.map((result) => judgeResult(result, values)));
        const best = verdicts.find(({ outcome }) => outcome !== 'differs') ?? verdicts[0];
        return { type, ...(best ?? { outcome: 'differs' as const, reason: 'its type was not found' }) };
      }),
    );
    return RESULT_OUTCOMES.flatMap((outcome) => {
      const own = checks.filter((one) => one.outcome === outcome);
      if (own.length === 0) return [];
      return [{ name: outcome, checks: own.map(({ type, reason }) => ({ what: type, fault: reason })) }];
    });
  });
  const unsent = cases.length - sent.length;
  return unsent === 0 ? section : { ...section, leftOut: [`${String(unsent)} types without values to send`] };
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
