import {
  AdornError,
  type CallbackContext,
  type Content,
  Deny,
  LlmAgent,
  type ModelRequest,
  type Tool,
  type ToolContext,
} from '@adorn/core';
import type { LiveDirection } from '@adorn/core/backend';

import {
  declarationsOf,
  type DeclaredPhase,
  type DeclaredWatch,
  type LiveContext,
  type LiveDeclarations,
} from './phase.decorator.js';
import { stateView } from './state-view.js';
import { millisecondsOf } from './watch-predicates.js';

/** The state key with the name of the current phase. */
export const PHASE = 'phase';

/** The state key with what watchers and phases remember between turns. */
const MEMORY = 'live_memory';

/** The phases that the model is told it has been through. */
const SHOWN_PHASES = 3;

/** What is kept between turns, in the state of the session: another process can go on. */
interface Memory {
  readonly turn: number;
  /** The values of the watched keys at the end of the turn before. */
  readonly seen: Readonly<Record<string, unknown>>;
  /** When the conditions of watchers began to hold, in seconds since 1970, by method. */
  readonly since: Readonly<Record<string, number>>;
  /** When watchers were called last, by method. */
  readonly fired: Readonly<Record<string, number>>;
  /** The phases so far, with the turn in which each began. */
  readonly history: readonly { readonly phase: string; readonly turn: number }[];
  /** The id of the live session that goes on; its end is no turn. */
  readonly session?: string;
  /** Texts for the next message of a text run. */
  readonly told: readonly string[];
}

const NOTHING: Memory = Object.freeze({ turn: 0, seen: {}, since: {}, fired: {}, history: [], told: [] });

/**
 * An agent whose conversation goes through phases. Each phase has its own instruction and tools; guards over the state
 * decide when another one begins, and watchers react to the state. At the end of a turn come, in this order: computed
 * values, phases, watchers.
 *
 * It works in a live session, where the connection is told of another phase, and in a text run, where a turn is a run.
 *
 * ```ts
 * @agent({ model: 'gemini-live-2.5-flash-preview', tools: [Accounts] })
 * class Collections extends LiveAgent<Caller> {
 *   @phase<Caller>({ first: true, tools: ['verify'], needs: ['verified'] })
 *   verifying() {
 *     return 'Ask for the account number.';
 *   }
 *
 *   @phase<Caller>({ from: 'verifying', when: ({ verified }) => verified === true, last: true })
 *   informing({ state }: LiveContext<Caller>) {
 *     return `State the balance of ${String(state.balance)}.`;
 *   }
 * }
 * ```
 */
export abstract class LiveAgent<State extends object = Record<string, unknown>> extends LlmAgent {
  /** What the model says first in a live session, as an instruction. Default: the user speaks first. */
  readonly greeting?: string;
  private readonly declared: LiveDeclarations;

  /** @throws {PhasesInvalidError} so that a runner with it is not created */
  constructor() {
    super();
    this.declared = declarationsOf(Object.getPrototypeOf(this) as object);
    checkPhases(this.constructor.name, this.declared.phases);
  }

  override async beforeModel(request: ModelRequest, context: CallbackContext): Promise<undefined> {
    const { told } = memoryOf(context);
    const live = this.contextOf(context, told.length > 0 ? [...told] : []);
    const parts = [textOf(request.config.systemInstruction), await this.instructionOf(live), ...told];
    const systemInstruction = parts.filter((text) => text !== '').join('\n\n');
    request.config = { ...request.config, systemInstruction };
    if (told.length > 0) remember(context, { ...memoryOf(context), told: [] });
    return undefined;
  }

  override checkTool(
    tool: Tool,
    _args: Readonly<Record<string, unknown>>,
    context: ToolContext,
  ): Deny | undefined {
    const { tools } = this.phaseOf(context).options;
    if (tools === undefined || tools.includes(tool.name)) return undefined;
    return new Deny(`Tool '${tool.name}' is not available in the current conversation phase.`);
  }

  override async afterAgent(context: CallbackContext): Promise<Content | undefined> {
    if (memoryOf(context).session === context.invocationId) return undefined;
    const texts: string[] = [];
    await this.endTurn(
      context,
      (text) => texts.push(text),
      (text) => texts.push(text),
    );
    if (texts.length > 0) remember(context, { ...memoryOf(context), told: texts });
    return undefined;
  }

  override onLiveStart({ prompt }: LiveDirection, context: CallbackContext): void {
    const memory = memoryOf(context);
    if (this.greeting !== undefined && memory.turn === 0) prompt(this.greeting);
    remember(context, { ...memory, session: context.invocationId });
  }

  override async onLiveTurn(direction: LiveDirection, context: CallbackContext): Promise<void> {
    const before = this.phaseOf(context).name;
    await this.endTurn(context, direction.steer, direction.prompt);
    if (this.phaseOf(context).name !== before) direction.renew();
  }

  private async endTurn(
    context: CallbackContext,
    steer: (text: string) => void,
    prompt: (text: string) => void,
  ): Promise<void> {
    const memory = memoryOf(context);
    const turn = memory.turn + 1;
    this.compute(context);
    const asked: { phase?: string } = {};
    const live = this.contextOf(context, [], { steer, prompt, asked });
    const history = this.move(context, memory, turn);
    const watched = await this.watch(live, context, memory);
    const target = this.declared.phases.find(({ name }) => name === asked.phase);
    if (asked.phase !== undefined && target === undefined)
      throw new PhasesInvalidError(
        this.constructor.name,
        `goTo was called with the unknown phase '${asked.phase}'`,
      );
    if (target !== undefined) context.state.set(PHASE, target.name);
    const last = target === undefined ? history : [...history, { phase: target.name, turn }];
    remember(context, { ...watched, turn, history: last.slice(-100), told: [] });
  }

  /** Writes the computed values. A value that depends on others is computed after them. */
  private compute(context: CallbackContext): void {
    const { values } = this.declared;
    const state = stateView<Record<string, unknown>>(context);
    const open = new Set<string>();
    const done = new Set<string>();
    const compute = (key: string): void => {
      const value = values.find((one) => one.key === key);
      if (value === undefined || done.has(key)) return;
      if (open.has(key))
        throw new PhasesInvalidError(this.constructor.name, `the computed value '${key}' depends on itself`);
      open.add(key);
      const reading = new Proxy(state, {
        get: (_target, name) => {
          if (typeof name === 'string') compute(name);
          return Reflect.get(state, name) as unknown;
        },
      });
      const made = this.method(value.method)(reading);
      if (made !== undefined) context.state.set(key, made);
      open.delete(key);
      done.add(key);
    };
    for (const { key } of values) compute(key);
  }

  /** Enters the first phase whose guard holds. Returns the history with it. */
  private move(context: CallbackContext, { history }: Memory, turn: number): Memory['history'] {
    const current = this.phaseOf(context);
    const begun = history.length === 0 ? [{ phase: current.name, turn: 1 }] : history;
    if (current.options.last === true) return begun;
    const state = stateView<Record<string, unknown>>(context);
    const next = this.declared.phases.find(
      (one) => one !== current && isFrom(one, current.name) && one.options.when?.(state) === true,
    );
    if (next === undefined) return begun;
    context.state.set(PHASE, next.name);
    return [...begun, { phase: next.name, turn }];
  }

  private async watch(live: LiveContext<State>, context: CallbackContext, memory: Memory): Promise<Memory> {
    const now = Date.now() / 1000;
    const seen: Record<string, unknown> = {};
    const since: Record<string, number> = {};
    const fired = { ...memory.fired };
    const met: DeclaredWatch[] = [];
    const state = stateView<Record<string, unknown>>(context);
    for (const one of this.declared.watches) {
      const { method, key, predicate, options } = one;
      const before = key === undefined ? undefined : memory.seen[key];
      const value: unknown = key === undefined ? undefined : state[key];
      if (key !== undefined) seen[key] = value ?? null;
      if (predicate.condition?.(state) === true) since[method] = memory.since[method] ?? now;
      const began = since[method];
      const heldMs = began === undefined ? undefined : (now - began) * 1000;
      const last = fired[method];
      const isCooling = last !== undefined && (now - last) * 1000 < millisecondsOf(options.cooldown ?? 0);
      if (!predicate.isMet({ before, now: value, heldMs }) || isCooling) continue;
      // A condition that goes on holding is reported once, and again after its cooldown.
      if (
        predicate.condition !== undefined &&
        last !== undefined &&
        last >= (began ?? 0) &&
        options.cooldown === undefined
      )
        continue;
      fired[method] = now;
      met.push(one);
    }
    for (const { method } of met) await this.method(method)(live);
    return { ...memory, seen, since, fired };
  }

  private async instructionOf(live: LiveContext<State>): Promise<string> {
    const { phases } = this.declared;
    const current = phases.find(({ name }) => name === live.phase);
    if (current === undefined) return '';
    const own = textOf(await this.method(current.name)(live));
    const { needs = [] } = current.options;
    const missing = needs.filter((key) => (live.state as Record<string, unknown>)[key] === undefined);
    const next = phases.filter((one) => one !== current && isFrom(one, current.name)).map(({ name }) => name);
    const past = memoryOf(live.callback)
      .history.slice(-SHOWN_PHASES)
      .map((one) => `${one.phase} (turn ${String(one.turn)})`);
    return [
      own,
      `Phase of the conversation: ${current.name}.`,
      past.length > 1 ? `Phases so far: ${past.join(', ')}.` : '',
      missing.length > 0 ? `Still to be found out: ${missing.join(', ')}.` : '',
      next.length > 0 && current.options.last !== true ? `It may lead to: ${next.join(', ')}.` : '',
    ]
      .filter((text) => text !== '')
      .join('\n');
  }

  private phaseOf({ state }: Pick<CallbackContext, 'state'>): DeclaredPhase {
    const name = state.get(PHASE);
    const { phases } = this.declared;
    const current =
      phases.find((one) => one.name === name) ?? phases.find(({ options }) => options.first === true);
    return current as DeclaredPhase;
  }

  private contextOf(
    context: CallbackContext,
    texts: string[],
    { steer, prompt, asked }: Direction = {},
  ): LiveContext<State> {
    const keep = (text: string): void => void texts.push(text);
    return {
      state: stateView<State>(context),
      phase: this.phaseOf(context).name,
      steer: steer ?? keep,
      prompt: prompt ?? keep,
      goTo: (phase) => {
        if (asked !== undefined) asked.phase = phase;
      },
      callback: context,
    };
  }

  private method(name: string): (argument: unknown) => unknown {
    const method = (this as unknown as Record<string, (argument: unknown) => unknown>)[name];
    return (argument) => Reflect.apply(method as (argument: unknown) => unknown, this, [argument]);
  }
}

interface Direction {
  readonly steer?: (text: string) => void;
  readonly prompt?: (text: string) => void;
  readonly asked?: { phase?: string };
}

/** The phases, watchers or values of a live agent contradict each other. */
export class PhasesInvalidError extends AdornError {
  readonly code = 'AGENT_CONFIG_INVALID';

  constructor(agent: string, fault: string) {
    super(`The live agent ${agent} cannot be used: ${fault}. Correct its decorators.`);
  }
}

function checkPhases(agent: string, phases: readonly DeclaredPhase[]): void {
  if (phases.length === 0) throw new PhasesInvalidError(agent, 'no phases registered');
  const firsts = phases.filter(({ options }) => options.first === true);
  if (firsts.length !== 1)
    throw new PhasesInvalidError(agent, `${String(firsts.length)} phases have first: true, instead of one`);
  for (const { name, options } of phases) {
    for (const source of sourcesOf(options.from))
      if (!phases.some((one) => one.name === source))
        throw new PhasesInvalidError(agent, `phase '${name}' has transition from unknown phase '${source}'`);
  }
}

function isFrom({ options: { from } }: DeclaredPhase, current: string): boolean {
  return from === undefined || sourcesOf(from).includes(current);
}

function sourcesOf(from: string | readonly string[] = []): readonly string[] {
  return typeof from === 'string' ? [from] : from;
}

function memoryOf({ state }: Pick<CallbackContext, 'state'>): Memory {
  return state.get<Memory>(MEMORY, NOTHING);
}

function remember({ state }: CallbackContext, memory: Memory): void {
  state.set(MEMORY, memory);
}

function textOf(instruction: unknown): string {
  return typeof instruction === 'string' ? instruction : '';
}
