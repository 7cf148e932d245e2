import { type Check, type CheckGroup, type Section, timed } from '../check.js';
import { findDifference } from '../find-difference.js';
import type { Suite } from '../suite.js';
import { type ModelScenario, SCENARIOS } from './model-scenarios.js';
import { playScenario } from './play-scenario.js';
import { AI_SDK_WIRES, GEMINI, type ProviderWire } from './provider-wires.js';

/** The same conversations on the wire of each provider: the same events as on Gemini's. */
export const modelsConformance: Suite = {
  name: 'models',
  summary: "scripted conversations on the wires of OpenAI and Anthropic: the same events as on Gemini's",
  takes: 'about 10 seconds',
  async *run(): AsyncGenerator<Section> {
    const expected = new Map<ModelScenario, readonly object[]>();
    for (const scenario of SCENARIOS) expected.set(scenario, await playScenario(GEMINI, scenario));
    for (const wire of AI_SDK_WIRES) yield await timed(wire.name, () => checkWire(wire, expected));
  },
};

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
