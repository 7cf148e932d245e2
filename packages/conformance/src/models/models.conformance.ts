import { join } from 'node:path';

import { type Check, type CheckGroup, type Section, timed } from '../check.js';
import { listRecordings } from '../gemini/list-recordings.js';
import { outOfScope } from '../gemini/scope.js';
import { findDifference } from '../find-difference.js';
import { sideBySide } from '../side-by-side.js';
import type { Suite } from '../suite.js';
import { checkRecordedAnswer, readOtherwise } from './check-recorded-answer.js';
import { checkPublishedShape } from './check-published-shape.js';
import { type ModelScenario, SCENARIOS } from './model-scenarios.js';
import { playScenario } from './play-scenario.js';
import { AI_SDK_WIRES, GEMINI, type ProviderWire } from './provider-wires.js';
import { PUBLISHED_SHAPES } from './published-shapes.js';

const FOLDER = 'gemini-wire';

/**
 * Scripted conversations on the wire of each provider: the same events as on Gemini's. The published bodies of four
 * vendors, with reasoning, usage and images. Recorded answers of Gemini, read through `@ai-sdk/google`.
 */
export const modelsConformance: Suite = {
  name: 'models',
  summary: "conversations on other wires with Gemini's events; published shapes and recordings of vendors",
  takes: 'about 20 seconds',
  folder: FOLDER,
  async *run(fixtures: string): AsyncGenerator<Section> {
    const expected = new Map<ModelScenario, readonly object[]>();
    for (const scenario of SCENARIOS) expected.set(scenario, await playScenario(GEMINI, scenario));
    for (const wire of AI_SDK_WIRES) yield await timed(wire.name, () => checkWire(wire, expected));
    for (const shape of PUBLISHED_SHAPES)
      yield await timed(`${shape.vendor}, published shapes`, () => checkPublishedShape(shape));
    yield await checkRecordings(join(fixtures, FOLDER));
  },
};

async function checkRecordings(folder: string): Promise<Section> {
  const recordings = (await listRecordings(folder)).filter((one) => outOfScope(one) === undefined);
  const used = recordings.filter((one) => readOtherwise(one) === undefined);
  const leftOut = recordings.flatMap((one) => {
    const reason = readOtherwise(one);
    return reason === undefined ? [] : [`${one.path} (${reason})`];
  });
  const work = async (): Promise<CheckGroup[]> => [
    { name: 'answers', checks: await sideBySide(used, 1, checkRecordedAnswer) },
  ];
  return { ...(await timed('Google, recordings', work)), leftOut };
}

async function checkWire(
  wire: ProviderWire,
  expected: ReadonlyMap<ModelScenario, readonly object[]>,
): Promise<CheckGroup[]> {
  const groups = new Map<string, Check[]>();
  for (const [scenario, events] of expected) {
    const checks = groups.get(scenario.group) ?? [];
    groups.set(scenario.group, [...checks, await check(wire, scenario, events)]);
  }
  return [...groups].map(([name, checks]) => ({ name, checks }));
}

async function check(
  wire: ProviderWire,
  scenario: ModelScenario,
  expected: readonly object[],
): Promise<Check> {
  try {
    return { what: scenario.name, fault: findDifference(expected, await playScenario(wire, scenario)) };
  } catch (error) {
    return { what: scenario.name, fault: error instanceof Error ? error.message : String(error) };
  }
}
