import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { createRunner, defineAgent, FunctionTool } from '@adorn/core';
import {
  evaluate,
  type EvalCase,
  type EvalCriteria,
  type EvalMetricResult,
  type EvalSet,
  formatEvalSet,
  metricsOf,
  parseEvalSet,
  readEvalSet,
} from '@adorn/eval';
import { callsTools, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import { messageOf } from '../message-of.js';
import { type Check, type CheckGroup, type Section, timed } from '../check.js';
import type { Suite } from '../suite.js';

const FOLDER = 'adk-evals';

/** Published eval sets of ADK: read, written and read again, and played by an agent that does what they expect. */
export const evalsConformance: Suite = {
  name: 'evals',
  summary: "eval sets of ADK's samples and tests: read, written, played as expected, and with other tools",
  takes: 'a second',
  folder: FOLDER,
  async *run(fixtures: string): AsyncGenerator<Section> {
    const folder = join(fixtures, FOLDER);
    for (const file of filesIn(folder)) {
      const name = relative(folder, file);
      if (file.endsWith('config.json')) yield await timed(name, () => checkCriteria(file));
      else if (/\.(?:test|evalset)\.json$/.test(file)) yield await timed(name, () => checkSet(file));
    }
  },
};

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name))
    .sort();
}

async function checkCriteria(file: string): Promise<CheckGroup[]> {
  const { criteria } = JSON.parse(readFileSync(file, 'utf8')) as { readonly criteria: EvalCriteria };
  const metrics = await metricsOf(criteria, () => new ScriptedModel());
  const found = Object.fromEntries(metrics.map(({ name, threshold }) => [name, threshold]));
  const what = basename(file);
  return [{ name: 'criteria', checks: [{ what, ...different(found, criteria, 'thresholds') }] }];
}

async function checkSet(file: string): Promise<CheckGroup[]> {
  const checks: Check[] = [];
  let set: EvalSet;
  try {
    set = await readEvalSet(file);
    checks.push({ what: 'is read' });
  } catch (error) {
    return [{ name: 'files', checks: [{ what: 'is read', fault: messageOf(error) }] }];
  }
  const again = parseEvalSet(JSON.parse(formatEvalSet(set)), file);
  checks.push({ what: 'is the same when it was written', ...different(again, set, 'sets') });
  const same = await scoresOf(set, (name) => name);
  const other = await scoresOf(set, (name) => `other_${name}`);
  return [
    { name: 'files', checks },
    {
      name: 'played as expected',
      checks: same.map((score) => ({ what: 'a turn', ...different(score, 1, 'scores') })),
    },
    {
      name: 'with other tools',
      checks: other.map((score, index) => {
        const wanted = callsOf(set)[index] === 0 ? 1 : 0;
        return { what: 'a turn', ...different(score, wanted, 'scores') };
      }),
    },
  ];
}

/** The trajectory scores of all turns, by an agent that makes the expected calls under names that are changed. */
async function scoresOf(set: EvalSet, renamed: (name: string) => string): Promise<(number | string)[]> {
  const scores: (number | string)[] = [];
  for (const evalCase of set.evalCases) {
    await using runner = await createRunner(
      defineAgent({ name: 'player', instruction: 'Play.', tools: toolsOf(evalCase, renamed) }),
      { model: new ScriptedModel(...stepsOf(evalCase, renamed)) },
    );
    const { caseResults } = await evaluate(runner, { ...set, evalCases: [evalCase] });
    const [result] = caseResults;
    if (result?.error !== undefined) scores.push(result.error);
    for (const { evalMetricResults } of result?.evalMetricResultPerInvocation ?? [])
      scores.push(scoreIn(evalMetricResults));
  }
  return scores;
}

function scoreIn(results: readonly EvalMetricResult[]): number | string {
  const found = results.find(({ metricName }) => metricName === 'tool_trajectory_avg_score');
  return found?.score ?? 'no score';
}

function toolsOf({ conversation }: EvalCase, renamed: (name: string) => string): FunctionTool[] {
  const uses = conversation.flatMap(({ intermediateData }) => intermediateData?.toolUses ?? []);
  const names = new Set(uses.map(({ name = '' }) => renamed(name)));
  return [...names].map(
    (name) =>
      new FunctionTool({ name, description: 'A tool.', parameters: { type: 'object' }, run: () => 'done' }),
  );
}

function stepsOf({ conversation }: EvalCase, renamed: (name: string) => string): ScriptedStep[] {
  return conversation.flatMap(({ intermediateData, finalResponse }) => {
    const calls = (intermediateData?.toolUses ?? []).map(({ name = '', args = {} }) => ({
      name: renamed(name),
      args,
    }));
    const text = finalResponse?.parts?.map((part) => part.text ?? '').join('') ?? 'Done.';
    return [...(calls.length > 0 ? [callsTools(...calls)] : []), says(text)];
  });
}

/** The number of calls in each turn. */
function callsOf({ evalCases }: EvalSet): number[] {
  return evalCases.flatMap(({ conversation }) =>
    conversation.map(({ intermediateData }) => intermediateData?.toolUses?.length ?? 0),
  );
}

function different(found: unknown, wanted: unknown, what: string): { readonly fault?: string } {
  if (isDeepStrictEqual(found, wanted)) return {};
  return { fault: `the ${what} differ: ${JSON.stringify(found)}, and not ${JSON.stringify(wanted)}` };
}
