import { AdornError } from '@adorn/core';

import type { ExtractOptions } from './extractor.js';
import { MEMORY } from './live-memory.js';
import type { DeclaredPhase, LiveDeclarations } from './phase.decorator.js';
import { millisecondsOf } from './watch-predicates.js';

/** The state key with the name of the current phase. */
export const PHASE = 'phase';

/** The phases, watchers, extractors or values of a live agent contradict each other. */
export class PhasesInvalidError extends AdornError {
  readonly code = 'AGENT_CONFIG_INVALID';

  constructor(agent: string, fault: string) {
    super(`The live agent ${agent} cannot be used: ${fault}. Correct its decorators.`);
  }
}

/** @throws {PhasesInvalidError} */
export function checkDeclarations(agent: string, declared: LiveDeclarations): void {
  const faults = [
    ...faultsOfPhases(declared.phases),
    ...faultsOfExtracts(declared),
    ...faultsOfWatches(declared),
  ];
  const [first] = faults;
  if (first !== undefined) throw new PhasesInvalidError(agent, first);
}

function* faultsOfPhases(phases: readonly DeclaredPhase[]): Generator<string> {
  if (phases.length === 0) yield 'no phases registered';
  const firsts = phases.filter(({ options }) => options.first === true);
  if (firsts.length !== 1) yield `${String(firsts.length)} phases have first: true, instead of one`;
  for (const { name, options } of phases)
    for (const source of sourcesOf(options.from))
      if (!phases.some((one) => one.name === source))
        yield `phase '${name}' has transition from unknown phase '${source}'`;
}

function* faultsOfExtracts({ extracts, phases }: LiveDeclarations): Generator<string> {
  for (const { method, options } of extracts) {
    const { schema = {}, turns = 1, every = 1, timeout = 0 } = options as Partial<ExtractOptions>;
    const { type, properties } = schema as { type?: unknown; properties?: object };
    const keys = Object.keys(properties ?? {});
    if (type !== 'object' || keys.length === 0)
      yield `the schema of the extractor '${method}' is not that of an object with properties`;
    const own = keys.find((key) => key === PHASE || key === MEMORY);
    if (own !== undefined) yield `the extractor '${method}' writes '${own}', which belongs to the phases`;
    if (!isCount(turns)) yield `the extractor '${method}' reads ${String(turns)} turns`;
    if (typeof every === 'number' && !isCount(every))
      yield `the extractor '${method}' reads every ${String(every)} turns`;
    if (phases.some(({ name }) => name === method)) yield `'${method}' is a phase and an extractor`;
    yield* faultOfDuration(`the extractor '${method}'`, timeout);
  }
}

function* faultsOfWatches({ watches }: LiveDeclarations): Generator<string> {
  for (const { method, options } of watches)
    yield* faultOfDuration(`the watcher '${method}'`, options.cooldown ?? 0);
}

function* faultOfDuration(owner: string, duration: number | string): Generator<string> {
  try {
    if (millisecondsOf(duration) >= 0) return;
  } catch {
    // It is no text of a duration.
  }
  yield `${owner} has "${String(duration)}", which is no duration`;
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) > 0;
}

/** The phases from which one is entered; empty for all. */
export function sourcesOf(from: string | readonly string[] = []): readonly string[] {
  return typeof from === 'string' ? [from] : from;
}
