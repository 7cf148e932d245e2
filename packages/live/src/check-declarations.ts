import { type AgentToolNames, type OptionFault, suggestName } from '@adorn/core/backend';

import { cycleIn } from './computed-values.js';
import {
  EXTRACT_OPTIONS,
  faultOfKey,
  faultOfOptions,
  isPredicate,
  PHASE_OPTIONS,
  WATCH_OPTIONS,
} from './declaration-options.js';
import { MEMORY } from './live-memory.js';
import type {
  DeclaredPhase,
  DeclaredValue,
  LiveDeclarations,
  PhaseGuard,
  PhaseSources,
} from './phase.decorator.js';
import { PhasesInvalidError } from './phases-invalid.error.js';

/** The state key with the name of the current phase. */
export const PHASE = 'phase';

/** The tool that a live session adds where a streaming tool is among those of the agent. */
const ADDED_TOOLS = ['stop_streaming'];

/**
 * Checks everything that decorators say, but for names of tools, which are known once the runner has them.
 *
 * @throws {PhasesInvalidError}
 */
export function checkDeclarations(agent: string, declared: LiveDeclarations): void {
  refuseFirst(agent, [...faultsOfOptions(declared)]);
  refuseFirst(agent, [...faultsOfPhases(declared.phases), ...faultsOfExtracts(declared)]);
}

/**
 * Checks the names of tools. With a toolset, which lists its tools later, a name that no tool has may be one of those.
 *
 * @throws {PhasesInvalidError}
 */
export function checkToolNames(
  agent: string,
  { phases, extracts, watches }: LiveDeclarations,
  { names, isComplete }: AgentToolNames,
): void {
  if (!isComplete) return;
  const known = new Set(names);
  const faults = function* (owner: string, wanted: readonly (string | undefined)[]): Generator<OptionFault> {
    for (const name of wanted)
      if (name !== undefined && !known.has(name) && !ADDED_TOOLS.includes(name))
        yield {
          fault: `${owner} names the tool '${name}', which the agent does not have`,
          cure: suggestName(name, known),
        };
  };
  refuseFirst(agent, [
    ...phases.flatMap(({ name, options }) => [...faults(`the phase '${name}'`, options.tools ?? [])]),
    ...extracts.flatMap(({ method, options: { every } }) => [
      ...faults(`the extractor '${method}'`, [typeof every === 'object' ? every.tool : undefined]),
    ]),
    ...watches.flatMap(({ method, predicate }) => [...faults(`the watcher '${method}'`, [predicate.tool])]),
  ]);
}

/**
 * Makes each value once from an empty state. One that then throws for another reason may need what is not there yet.
 *
 * @param make calls the method of a value
 * @throws {PhasesInvalidError} for a value that depends on itself
 */
export function checkValues(
  agent: string,
  values: readonly DeclaredValue[],
  make: (value: DeclaredValue, state: object) => unknown,
): void {
  const key = cycleIn(values, make);
  if (key !== undefined) throw new PhasesInvalidError(agent, `the computed value '${key}' depends on itself`);
}

function refuseFirst(agent: string, faults: readonly (OptionFault | string | undefined)[]): void {
  const first = faults.find((fault) => fault !== undefined);
  if (first === undefined) return;
  if (typeof first === 'string') throw new PhasesInvalidError(agent, first);
  throw new PhasesInvalidError(agent, first.fault, first.cure);
}

function* faultsOfOptions({
  phases,
  watches,
  values,
  extracts,
}: LiveDeclarations): Generator<OptionFault | undefined> {
  for (const { name, options } of phases) yield faultOfOptions(`the phase '${name}'`, options, PHASE_OPTIONS);
  for (const { method, options } of extracts)
    yield faultOfOptions(`the extractor '${method}'`, options, EXTRACT_OPTIONS);
  for (const { method, key } of values) yield faultOfKey(`the computed value '${method}'`, key);
  for (const { method, key, predicate, options } of watches) {
    const owner = `the watcher '${method}'`;
    if (key !== undefined) yield faultOfKey(owner, key);
    if (!isPredicate(predicate)) yield faultOfPredicate(owner, predicate);
    yield faultOfOptions(owner, options, WATCH_OPTIONS);
  }
}

function faultOfPredicate(owner: string, predicate: unknown): OptionFault {
  if (typeof predicate !== 'function')
    return { fault: `${owner} waits for nothing`, cure: 'Pass a pattern such as becameTrue().' };
  const name = predicate.name === '' ? 'becameTrue' : predicate.name;
  return { fault: `${owner} has a function where a pattern belongs`, cure: `Call it: ${name}().` };
}

function* faultsOfPhases(phases: readonly DeclaredPhase[]): Generator<string> {
  if (phases.length === 0) yield 'no phases registered';
  const firsts = phases.filter(({ options }) => options.first === true);
  if (firsts.length !== 1) yield `${String(firsts.length)} phases have first: true, instead of one`;
  for (const { name, options } of phases)
    for (const source of sourcesOf(options.from)) {
      const found = phases.find((one) => one.name === source);
      if (!found) yield `phase '${name}' has transition from unknown phase '${source}'`;
      else if (found.options.last === true)
        yield `phase '${name}' has transition from '${source}', which is the last one`;
    }
}

function* faultsOfExtracts({ extracts, phases }: LiveDeclarations): Generator<string> {
  for (const { method, options } of extracts) {
    const keys = Object.keys((options.schema as { readonly properties?: object }).properties ?? {});
    const own = keys.find((key) => key === PHASE || key === MEMORY);
    if (own !== undefined) yield `the extractor '${method}' writes '${own}', which belongs to the phases`;
    if (phases.some(({ name }) => name === method)) yield `'${method}' is a phase and an extractor`;
  }
}

/** The phases from which one is entered; empty for all. */
export function sourcesOf(from: PhaseSources = []): readonly string[] {
  if (typeof from === 'string') return [from];
  return isList(from) ? from : Object.keys(from);
}

/** The guards that have to hold for a phase to be entered from another one; none for a phase that `goTo` alone enters. */
export function guardsOf({ options: { from, when } }: DeclaredPhase, current: string): readonly PhaseGuard[] {
  const own =
    typeof from === 'object' && !isList(from) && Object.hasOwn(from, current) ? from[current] : undefined;
  return [when, own].filter((guard) => guard !== undefined);
}

function isList(from: Exclude<PhaseSources, string>): from is readonly string[] {
  return Array.isArray(from);
}
