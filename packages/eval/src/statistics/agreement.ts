import { type OptionRules, optionFault } from '@adorn/core/backend';

import { EvalConfigInvalidError } from '../errors.js';
import type { EvalInvocation } from '../eval-set.js';
import { isMajority, type JudgedMetric } from '../metrics/judged-metric.js';
import { COUNT } from '../metrics/metric-options.js';
import { bootstrapInterval, type Interval, rateInterval } from './intervals.js';

/** A turn, and what a person says of it. */
export interface LabelledTurn {
  readonly actual: EvalInvocation;
  readonly expected: EvalInvocation;
  /** What the verdict has to be. */
  readonly label: boolean;
}

/** How far a judge agrees with people, and with itself. */
export interface JudgeAgreement {
  readonly turns: number;
  /** The share of the turns in which the majority of the votes is the label. */
  readonly accuracy: number;
  readonly accuracyInterval: Interval;
  /** Cohen's kappa between the majority and the labels: 1 agrees, 0 is chance. NaN if all verdicts and labels are one. */
  readonly kappa: number;
  readonly kappaInterval: Interval;
  /** Krippendorff's alpha between the votes of one turn. NaN for one vote a turn, and if all votes are one. */
  readonly alpha: number;
  readonly alphaInterval: Interval;
  /** Turns that the judge passes, and a person does not. */
  readonly falsePasses: number;
  /** Turns that a person passes, and the judge does not. */
  readonly falseFailures: number;
}

/** The options of {@link judgeAgreement}. */
export interface AgreementOptions {
  /** How many turns are judged at once. Default: 4. */
  readonly concurrency?: number;
}

const RULES: OptionRules<AgreementOptions> = {
  concurrency: COUNT,
};

/**
 * Measures a judge by turns that people have labelled: a hundred or more, of both labels. Change the model or the instruction of
 * a judge only with this measured before and after.
 *
 * @throws {EvalConfigInvalidError} (`EVAL_CONFIG_INVALID`) for no turns, or one that the metric does not look at
 */
export async function judgeAgreement(
  metric: JudgedMetric,
  turns: readonly LabelledTurn[],
  options: AgreementOptions = {},
): Promise<JudgeAgreement> {
  const found = optionFault(options, RULES);
  if (found) throw new EvalConfigInvalidError('judgeAgreement', found.fault, found.cure);
  if (turns.length === 0)
    throw new EvalConfigInvalidError(
      'judgeAgreement',
      'there are no labelled turns',
      'Pass a hundred or more.',
    );
  const votes: (readonly boolean[])[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < turns.length; index = next++)
      votes[index] = await votesOn(metric, turns[index] as LabelledTurn, index);
  };
  try {
    await Promise.all(Array.from({ length: options.concurrency ?? 4 }, work));
  } finally {
    await metric.close?.();
  }
  return agreementOf(votes, turns);
}

async function votesOn(
  metric: JudgedMetric,
  { actual, expected }: LabelledTurn,
  index: number,
): Promise<readonly boolean[]> {
  const votes = await metric.votes(actual, expected);
  if (votes) return votes;
  throw new EvalConfigInvalidError(
    'judgeAgreement',
    `${metric.name} does not look at the turn ${String(index)}`,
    'Write what is expected of it.',
  );
}

function agreementOf(votes: readonly (readonly boolean[])[], turns: readonly LabelledTurn[]): JudgeAgreement {
  const pairs = turns.map(({ label }, index): readonly [boolean, boolean] => [
    isMajority(votes[index] ?? []),
    label,
  ]);
  const right = pairs.filter(([verdict, label]) => verdict === label).length;
  return {
    turns: turns.length,
    accuracy: right / turns.length,
    accuracyInterval: rateInterval(right, turns.length),
    kappa: cohensKappa(pairs),
    kappaInterval: bootstrapInterval(pairs, cohensKappa),
    alpha: krippendorffsAlpha(votes),
    alphaInterval: bootstrapInterval(votes, krippendorffsAlpha),
    falsePasses: pairs.filter(([verdict, label]) => verdict && !label).length,
    falseFailures: pairs.filter(([verdict, label]) => !verdict && label).length,
  };
}

/** Agreement of two raters beyond chance: 1 for all, 0 for as much as by chance. NaN if both gave one label only. */
export function cohensKappa(pairs: readonly (readonly [unknown, unknown])[]): number {
  const total = pairs.length;
  const observed = pairs.filter(([one, other]) => one === other).length / total;
  const labels = new Set(pairs.flat());
  let chance = 0;
  for (const label of labels) {
    const [ones, others] = [0, 1].map((rater) => pairs.filter((pair) => pair[rater] === label).length);
    chance += ((ones ?? 0) * (others ?? 0)) / total ** 2;
  }
  return (observed - chance) / (1 - chance);
}

/**
 * Agreement of any number of raters beyond chance, for labels without an order. A unit with fewer than two labels does not count.
 * NaN if there is no such unit, or only one label.
 *
 * @param units the labels of each unit
 */
export function krippendorffsAlpha(units: readonly (readonly unknown[])[]): number {
  const counts = new Map<unknown, number>();
  let total = 0;
  let disagreeing = 0;
  for (const labels of units) {
    if (labels.length < 2) continue;
    total += labels.length;
    for (const label of labels) {
      counts.set(label, (counts.get(label) ?? 0) + 1);
      disagreeing += labels.filter((other) => other !== label).length / (labels.length - 1);
    }
  }
  let expected = 0;
  for (const count of counts.values()) expected += (count * (total - count)) / (total - 1);
  return 1 - disagreeing / expected;
}
