/* eslint-disable max-lines -- the public class; half of the lines say what its methods do */
import {
  type CallbackContext,
  type Content,
  Deny,
  LlmAgent,
  type Model,
  type ModelRequest,
  type Tool,
  type ToolContext,
} from '@adorn/core';
import {
  type AgentContext,
  type AgentToolNames,
  type Awaitable,
  type LiveDirection,
  oneOf,
  optionFault,
  rule,
  TEXT,
} from '@adorn/core/backend';

import {
  checkDeclarations,
  checkToolNames,
  checkValues,
  guardsOf,
  PHASE,
  sourcesOf,
} from './check-declarations.js';
import { computeValues } from './computed-values.js';
import { faultOfOptions, REPAIR_OPTIONS } from './declaration-options.js';
import { type DeclaredExtract, extractFields, isDueAfterTurn } from './extractor.js';
import { type Memory, memoryOf, remember, type Stalled } from './live-memory.js';
import { eventsSince, observeTurn } from './observe-turn.js';
import {
  declarationsOf,
  type DeclaredPhase,
  type LiveContext,
  type LiveDeclarations,
} from './phase.decorator.js';
import { PhasesInvalidError } from './phases-invalid.error.js';
import { stateView } from './state-view.js';

/** The phases that the model is told it has been through. */
const SHOWN_PHASES = 3;

/** How many phases are kept in the history. */
const KEPT_PHASES = 100;

/**
 * An agent whose conversation goes through phases. Each phase has its own instruction and tools; guards over the state
 * decide when another one begins, and watchers react to the state. At the end of a turn come, in this order: extractors,
 * computed values, the next phase (its extractors, then computed values again), repair, watchers. Then the keys of the
 * state that begin with `turn:` are removed. Code of the agent that throws is logged, and the turn goes on.
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
  /** The state keys whose values the model reads with the instruction of each phase. Default: none. */
  readonly context: readonly (keyof State & string)[] = [];
  /**
   * How a live session is told of another phase. `instruction`: the connection gets the new instruction and tools.
   * `context`: the model reads the instruction as a text; the connection stays as it is. `hybrid`: as `instruction`, and
   * within a phase the model reads the values of `context` when they have changed.
   */
  readonly steering: 'instruction' | 'context' | 'hybrid' = 'instruction';
  /**
   * The turns without news on what a phase `needs` after which the model is reminded, and after which the state gets
   * `repair:escalation` (true) and `repair:unfulfilled` (the missing keys). `false` for neither.
   */
  readonly repair: { readonly nudge: number; readonly escalate: number } | false = { nudge: 3, escalate: 6 };
  override readonly otherModels: readonly (Model | string)[];
  private readonly declared: LiveDeclarations;

  /** @throws {PhasesInvalidError} so that a runner with it is not created */
  constructor() {
    super();
    this.declared = declarationsOf(Object.getPrototypeOf(this) as object);
    checkDeclarations(this.constructor.name, this.declared);
    this.otherModels = this.declared.extracts.flatMap(({ options }) => options.model ?? []);
  }

  /** Called when an extractor has failed; the state stays as it was. Default: the failure is only logged. */
  onExtractError?(error: unknown, extractor: string, live: LiveContext<State>): Awaitable<void>;

  /** @throws {PhasesInvalidError} for a tool that the agent does not have, and a property that cannot be used */
  override checkTools(tools: AgentToolNames): void {
    const { name } = this.constructor;
    const { greeting, context, steering } = this;
    const repair: unknown = this.repair;
    const fault =
      optionFault({ greeting, context, steering }, PROPERTIES) ??
      (repair === false ? undefined : faultOfOptions('repair', repair, REPAIR_OPTIONS));
    if (fault) throw new PhasesInvalidError(name, fault.fault, fault.cure);
    checkToolNames(name, this.declared, tools);
    checkValues(name, this.declared.values, (value, state) => this.method(value.method)(state));
  }

  override async beforeModel(request: ModelRequest, context: CallbackContext): Promise<undefined> {
    const { told } = memoryOf(context);
    const live = this.contextOf(context, MUTE);
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
    if (!tools || tools.includes(tool.name)) return undefined;
    const allowed = tools.length > 0 ? `: ${tools.join(', ')}` : ' no tools';
    return new Deny(
      `Tool '${tool.name}' is not available in the current conversation phase. This phase allows${allowed}.`,
    );
  }

  override async afterAgent(context: AgentContext): Promise<Content | undefined> {
    if (memoryOf(context).session === context.invocationId) return undefined;
    const texts: string[] = [];
    const tell = (text: string): void => void texts.push(text);
    await this.endTurn(context, { steer: tell, prompt: tell });
    if (texts.length > 0) remember(context, { ...memoryOf(context), told: texts });
    return undefined;
  }

  override onLiveStart({ prompt }: LiveDirection, context: AgentContext): void {
    const memory = memoryOf(context);
    if (this.greeting !== undefined && memory.turn === 0) prompt(this.greeting);
    remember(context, { ...memory, session: context.invocationId });
  }

  override async onLiveTurn(direction: LiveDirection, context: AgentContext): Promise<void> {
    const before = this.phaseOf(context).name;
    await this.endTurn(context, direction);
    const live = this.contextOf(context, direction);
    const isOther = live.phase !== before;
    if (isOther && this.steering === 'context')
      direction.steer(await this.instructionOf(this.contextOf(context, MUTE)));
    if (isOther && this.steering !== 'context') direction.renew();
    if (this.steering === 'hybrid') this.tellContext(live, direction, isOther);
    this.awaitSustained(direction, context);
  }

  /** Calls the watchers whose conditions have held for their time in the silence between two turns. */
  override async onLiveTimer(direction: LiveDirection, context: AgentContext): Promise<void> {
    const memory = memoryOf(context);
    const timed = this.declared.watches.filter(({ predicate }) => predicate.least !== undefined);
    const asked: { phase?: string } = {};
    const live = this.contextOf(context, direction, asked);
    const { met, memory: seen } = observeTurn(timed, context, memory);
    for (const { method } of met) await this.attempt(context, method, () => this.method(method)(live));
    const names = new Set(timed.map(({ method }) => method));
    const others = Object.entries(memory.since).filter(([method]) => !names.has(method));
    const since = { ...Object.fromEntries(others), ...seen.since };
    const target = this.declared.phases.find(({ name }) => name === asked.phase);
    let { history } = memory;
    if (target && target.name !== live.phase) {
      history = await this.enter(target, live, { history, turn: memory.turn });
      if (this.steering !== 'context') direction.renew();
      else direction.steer(await this.instructionOf(this.contextOf(context, MUTE)));
    }
    remember(context, { ...memoryOf(context), since, fired: seen.fired, history });
    this.awaitSustained(direction, context);
  }

  /** Has the session call `onLiveTimer` when the next condition has held for its time. */
  private awaitSustained({ after }: LiveDirection, context: AgentContext): void {
    const { since, fired } = memoryOf(context);
    const now = Date.now();
    const waits = this.declared.watches.flatMap(({ method, predicate: { least } }) => {
      const began = since[method];
      if (least === undefined || began === undefined || (fired[method] ?? -Infinity) >= began) return [];
      return [began * 1000 + least - now];
    });
    if (waits.length > 0) after(Math.max(1, Math.ceil(Math.min(...waits))));
  }

  private async endTurn(context: AgentContext, direction: Steering): Promise<void> {
    const memory = memoryOf(context);
    const turn = memory.turn + 1;
    const { extracts } = this.declared;
    const asked: { phase?: string } = {};
    const live = this.contextOf(context, direction, asked);
    const { stalled = { phase: live.phase, missing: 0, turns: 0 } } = memory;
    await this.extract(
      extracts.filter((one) => isDueAfterTurn(one, turn, eventsSince(memory.last, context.events))),
      live,
      context,
    );
    await this.compute(context);
    const began = await this.next(context);
    let { history } = memory;
    if (history.length === 0) history = [{ phase: live.phase, turn: 1 }];
    if (began) {
      history = await this.enter(began, live, { history, turn });
      await this.extract(
        extracts.filter(({ options }) => options.every === 'phase'),
        live,
        context,
      );
      await this.compute(context);
    }
    const repaired = this.repairOf(live, stalled);
    const watched = await this.watch(live, context, memory);
    const target = this.declared.phases.find(({ name }) => name === asked.phase);
    if (target && target.name !== live.phase) history = await this.enter(target, live, { history, turn });
    for (const [key] of context.state.entries()) if (key.startsWith('turn:')) context.state.delete(key);
    remember(context, {
      ...watched,
      stalled: repaired,
      turn,
      history: history.slice(-KEPT_PHASES),
      told: [],
    });
  }

  /** Runs extractors side by side; what they have found is written in the order of their declarations. */
  private async extract(
    due: readonly DeclaredExtract[],
    live: LiveContext<State>,
    context: AgentContext,
  ): Promise<void> {
    const reading = due.map(async (one): Promise<Record<string, unknown>> => {
      try {
        const question = textOf(await this.method(one.method)(live));
        return question === '' ? {} : await extractFields(one, question, context);
      } catch (error) {
        context.logger.warn('an extractor failed', { extractor: one.method, error });
        await this.attempt(context, 'onExtractError', () => this.onExtractError?.(error, one.method, live));
        return {};
      }
    });
    for (const fields of await Promise.all(reading))
      for (const [key, value] of Object.entries(fields)) context.state.set(key, value);
  }

  private async compute(context: CallbackContext): Promise<void> {
    const { name } = this.constructor;
    await this.attempt(context, 'computed', () => {
      computeValues(name, this.declared.values, context, (value, state) => this.method(value.method)(state));
    });
  }

  /** The first phase whose guard holds; undefined to stay in the current one. A guard that throws does not hold. */
  private async next(context: CallbackContext): Promise<DeclaredPhase | undefined> {
    const current = this.phaseOf(context);
    if (current.options.last === true) return undefined;
    const state = stateView<Record<string, unknown>>(context);
    for (const one of this.declared.phases) {
      const guards = guardsOf(one, current.name);
      if (one === current || guards.length === 0 || !isFrom(one, current.name)) continue;
      const hold = (): boolean => guards.every((guard) => (guard(state) as unknown) === true);
      if ((await this.attempt(context, `when of ${one.name}`, hold)) === true) return one;
    }
    return undefined;
  }

  /** Leaves the current phase and begins another. Returns the history with it. */
  private async enter(
    phase: DeclaredPhase,
    live: LiveContext<State>,
    { history, turn }: Pick<Memory, 'history' | 'turn'>,
  ): Promise<Memory['history']> {
    const { callback } = live;
    const { exit, enter } = { ...phase.options, exit: this.phaseOf(callback).options.exit };
    await this.attempt(callback, 'exit', () => exit?.(live as unknown as LiveContext));
    callback.state.set(PHASE, phase.name);
    await this.attempt(callback, 'enter', () => enter?.(live as unknown as LiveContext));
    return [...history, { phase: phase.name, turn }];
  }

  /** Reminds the model of what the phase needs, if turns have brought nothing of it, and then gives up on it. */
  private repairOf(live: LiveContext<State>, stalled: Stalled): Stalled {
    const missing = this.missingIn(live);
    const { state } = live.callback;
    if (missing.length === 0 || stalled.phase !== live.phase || missing.length < stalled.missing) {
      for (const key of [ESCALATION, UNFULFILLED]) if (state.has(key)) state.delete(key);
      return { phase: live.phase, missing: missing.length, turns: 0 };
    }
    const turns = stalled.turns + 1;
    const { nudge, escalate }: Partial<Exclude<LiveAgent['repair'], false>> = this.repair || {};
    if (turns === nudge) live.steer(`Still to be found out: ${missing.join(', ')}. Ask for it now.`);
    if (turns === escalate) {
      state.set(ESCALATION, true);
      state.set(UNFULFILLED, missing);
    }
    return { phase: live.phase, missing: missing.length, turns };
  }

  private async watch(live: LiveContext<State>, context: AgentContext, before: Memory): Promise<Memory> {
    const { met, memory } = observeTurn(this.declared.watches, context, before);
    for (const { method } of met) await this.attempt(context, method, () => this.method(method)(live));
    return { ...before, ...memory };
  }

  private async instructionOf(live: LiveContext<State>): Promise<string> {
    const { phases } = this.declared;
    const current = this.phaseOf(live.callback);
    const own = textOf(await this.method(current.name)(live));
    const missing = this.missingIn(live);
    // A phase without a guard is entered by `goTo` alone.
    const next = phases
      .filter((one) => one !== current && guardsOf(one, current.name).length > 0 && isFrom(one, current.name))
      .map(({ name }) => name);
    const past = memoryOf(live.callback)
      .history.slice(-SHOWN_PHASES)
      .map((one) => `${one.phase} (turn ${String(one.turn)})`);
    const context = this.contextLine(live);
    const navigation = [
      own,
      `Phase of the conversation: ${current.name}.`,
      past.length > 1 ? `Phases so far: ${past.join(', ')}.` : '',
      missing.length > 0 ? `Still to be found out: ${missing.join(', ')}.` : '',
      next.length > 0 && current.options.last !== true ? `It may lead to: ${next.join(', ')}.` : '',
    ];
    const text = navigation.filter((line) => line !== '').join('\n');
    return context === '' ? text : `${text}\n\n[Context: ${context}]`;
  }

  /** `key=value, …` of the keys that the model reads and that have a value; without the prefixes of their scopes. */
  private contextLine({ state, callback }: LiveContext<State>): string {
    const keys = new Set<string>([...this.context, ...(this.phaseOf(callback).options.context ?? [])]);
    const values = state as Record<string, unknown>;
    return [...keys]
      .filter((key) => values[key] !== undefined && values[key] !== null)
      .map((key) => `${key.replace(/^(?:derived|session|app|user):/, '')}=${shown(values[key])}`)
      .join(', ');
  }

  /** Has the model read the context if it has changed within a phase. */
  private tellContext(live: LiveContext<State>, { steer }: Steering, isTold: boolean): void {
    const memory = memoryOf(live.callback);
    const context = this.contextLine(live);
    if (context === (memory.context ?? '')) return;
    if (!isTold && context !== '') steer(`Current context: ${context}`);
    remember(live.callback, { ...memory, context });
  }

  private missingIn({ state, callback }: LiveContext<State>): string[] {
    const { needs = [] } = this.phaseOf(callback).options;
    return needs.filter((key) => (state as Record<string, unknown>)[key] === undefined);
  }

  private phaseOf({ state }: Pick<CallbackContext, 'state'>): DeclaredPhase {
    const name = state.get(PHASE);
    const { phases } = this.declared;
    const current =
      phases.find((one) => one.name === name) ?? phases.find(({ options }) => options.first === true);
    return current as DeclaredPhase;
  }

  private contextOf(
    callback: CallbackContext,
    steering: Steering,
    asked: { phase?: string } = {},
  ): LiveContext<State> {
    const phaseOf = (): string => this.phaseOf(callback).name;
    const { steer, prompt } = steering;
    return {
      state: stateView<State>(callback),
      get phase() {
        return phaseOf();
      },
      get signals() {
        return steering.signals;
      },
      steer,
      prompt,
      goTo: (phase) => {
        if (!this.declared.phases.some(({ name }) => name === phase))
          throw new PhasesInvalidError(
            this.constructor.name,
            `goTo was called with the unknown phase '${phase}'`,
          );
        asked.phase = phase;
      },
      callback,
    };
  }

  private method(name: string): (argument: unknown) => unknown {
    const method = (this as unknown as Record<string, (argument: unknown) => unknown>)[name];
    return (argument) => Reflect.apply(method as (argument: unknown) => unknown, this, [argument]);
  }

  /** Calls code of the agent. What it throws is logged, and gives undefined. */
  private async attempt<Value>(
    context: CallbackContext,
    what: string,
    call: () => Awaitable<Value>,
  ): Promise<Value | undefined> {
    try {
      return await call();
    } catch (error) {
      context.logger.error('code at the end of a turn failed', { agent: context.agentName, what, error });
      return undefined;
    }
  }
}

/** The properties of an agent that are set, but for `repair`. */
export const PROPERTIES = {
  greeting: TEXT,
  context: rule(
    (value) => Array.isArray(value) && value.every((key) => typeof key === 'string'),
    "Set a list of state keys, such as ['balance'].",
  ),
  steering: oneOf('instruction', 'context', 'hybrid'),
};

/** The ways to tell the model something. */
type Steering = Pick<LiveDirection, 'steer' | 'prompt'> & Partial<Pick<LiveDirection, 'signals'>>;

const ESCALATION = 'repair:escalation';
const UNFULFILLED = 'repair:unfulfilled';

function isFrom({ options: { from } }: DeclaredPhase, current: string): boolean {
  return from === undefined || sourcesOf(from).includes(current);
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function textOf(instruction: unknown): string {
  return typeof instruction === 'string' ? instruction : '';
}

function ignore(): void {
  // What an instruction would tell, it returns.
}

const MUTE: Steering = Object.freeze({ steer: ignore, prompt: ignore });
