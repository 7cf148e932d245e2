import type { GenerateContentResponseUsageMetadata } from '@google/genai';

import { functionResponsesOf } from '../events/content-parts.js';
import type { Event } from '../events/event.js';
import { isWithin } from '../events/event-place.js';
import { type AgentNode, agentOf } from './agent-node.js';
import type { InvocationContext } from './invocation-context.js';

/**
 * The limits of an invocation, shared by all its agents and kept across a pause: the run that answers a request continues
 * with the remaining budget. Checked before each model call; a running call is not interrupted, except by `ms`.
 */
export interface Budget {
  /**
   * Tokens of all model calls, also those of tools, as the models report them: `totalTokenCount`, or the sum of the prompt,
   * the answer, the thoughts and the prompts of tools if there is no total.
   */
  readonly tokens?: number;
  /** US dollars of all model calls, by `cost`, which it needs. */
  readonly usd?: number;
  /**
   * The price in US dollars of one model call, from the usage that the model reported and the agent that asked. One that
   * throws, or gives no number of at least 0, ends the run with `COST_LIMIT`.
   */
  readonly cost?: (usage: GenerateContentResponseUsageMetadata, agentName: string) => number;
  /** Maximum run time in milliseconds, without pauses. The invocation is cancelled when it is over. */
  readonly ms?: number;
  /** Bytes of the JSON text of all tool results. */
  readonly bytes?: number;
}

/** The limits of an invocation. */
export interface BudgetLimits {
  /** The maximum number of model calls. */
  readonly maxLlmCalls: number;
  /** The maximum number of transfers between agents. */
  readonly maxTransfers: number;
  /** The maximum number of answers in a row that have only invalid calls. */
  readonly maxInvalidCalls: number;
  /** The limits of tokens, cost, time and bytes. */
  readonly budget: Budget;
}

const BUDGET_ENDS = ['LLM_CALL_LIMIT', 'TOKEN_LIMIT', 'COST_LIMIT', 'BYTE_LIMIT'] as const;

/** The reasons for not calling a model any more. */
export type BudgetEnd = (typeof BUDGET_ENDS)[number];

export function isBudgetEnd(errorCode: string | undefined): boolean {
  return BUDGET_ENDS.some((end) => end === errorCode);
}

/** The spent budget of invocations. */
export interface Spent {
  /** Model calls so far. */
  readonly llmCalls: number;
  /** Transfers between agents so far. */
  readonly transfers: number;
  /** Tokens of all model calls, as the models report them. */
  readonly tokens: number;
  /** US dollars, by the function `cost` of the budget. */
  readonly usd: number;
  /** Milliseconds of run time, without pauses. */
  readonly ms: number;
  /** Bytes of the JSON text of all tool results. */
  readonly bytes: number;
  /** Answers in a row that had only invalid calls, by the branch of the agents that gave them. */
  readonly invalidInRow: ReadonlyMap<string, number>;
}

const NOTHING_SPENT: Spent = Object.freeze({
  llmCalls: 0,
  transfers: 0,
  tokens: 0,
  usd: 0,
  ms: 0,
  bytes: 0,
  invalidInRow: new Map(),
});

/** The run of an agent that calls a model. */
type Caller = Pick<InvocationContext, 'path' | 'branch'>;

/** The remaining budget of an invocation, shared by all its agents. */
export class InvocationBudget {
  /** True after the time limit of the invocation. */
  isTimeOver = false;
  private llmCalls: number;
  private transfers: number;
  /** Created with the first invalid call. */
  private invalidInRow: Map<string, number> | undefined;
  private readonly meter: Meter | undefined;
  /** The model calls since an agent's last event, by its path: of the agents on branches, which may be cancelled alone. */
  private unrecorded: Map<string, number> | undefined;

  /** @param spent the budget that was spent before a pause */
  constructor(
    private readonly limits: BudgetLimits,
    private readonly spent: Spent = NOTHING_SPENT,
  ) {
    this.llmCalls = spent.llmCalls;
    this.transfers = spent.transfers;
    if (spent.invalidInRow.size > 0) this.invalidInRow = new Map(spent.invalidInRow);
    const { tokens, usd, bytes } = limits.budget;
    const isMetered = tokens !== undefined || usd !== undefined || bytes !== undefined;
    this.meter = isMetered ? new Meter(limits.budget, spent) : undefined;
  }

  /** The remaining milliseconds; undefined if there is no limit. */
  get msLeft(): number | undefined {
    const { ms } = this.limits.budget;
    return ms === undefined || ms === Infinity ? undefined : Math.max(0, ms - this.spent.ms);
  }

  /** True if a model may be called once more. */
  get hasLlmCall(): boolean {
    return this.llmCalls < this.limits.maxLlmCalls && this.meter?.end === undefined;
  }

  /** Counts a model call of an agent. Returns the reason if it may not be made. */
  spendLlmCall({ path, branch }: Caller): BudgetEnd | undefined {
    const end = ++this.llmCalls > this.limits.maxLlmCalls ? 'LLM_CALL_LIMIT' : this.meter?.end;
    if (end === undefined && branch !== undefined) {
      this.unrecorded ??= new Map();
      this.unrecorded.set(path, (this.unrecorded.get(path) ?? 0) + 1);
    }
    return end;
  }

  /** Counts a transfer; false if the limit is reached. */
  spendTransfer(): boolean {
    return ++this.transfers <= this.limits.maxTransfers;
  }

  /**
   * Counts an answer with only invalid calls; false after too many in a row. A valid call resets the count. Agents on
   * different branches have counts of their own.
   */
  spendInvalidCalls(invalid: number, valid: number, branch?: string): boolean {
    if (invalid === 0 && !this.invalidInRow) return true;
    this.invalidInRow ??= new Map();
    const inRow = countInvalid(this.invalidInRow, invalid, valid, branch);
    return inRow === 0 || inRow < this.limits.maxInvalidCalls;
  }

  /** Counts the costs of an event, which records the model calls of its agent. */
  note(event: Event): void {
    const path = event.nodeInfo?.path;
    if (path !== undefined) this.unrecorded?.delete(path);
    this.meter?.note(event);
  }

  /** Counts an answer to a tool that asked a model, and returns what it cost. */
  noteResponse(usage: Usage | undefined, agentName: string): ModelSpending {
    const costs = { llmCalls: 0, ...costsOf(usage, agentName, this.limits.budget) };
    this.meter?.add(costs);
    return costs;
  }

  /**
   * The model calls of a run, and of the runs below it, that no event records, such as those that were cancelled before the
   * answer. Each is returned once.
   */
  drainUnrecorded(run: string): number {
    let calls = 0;
    for (const [path, count] of this.unrecorded ?? []) {
      if (!isWithin(path, run)) continue;
      this.unrecorded?.delete(path);
      calls += count;
    }
    return calls;
  }
}

/** Counts an answer of a branch in the answers in a row that had only invalid calls. Returns the count of the branch. */
function countInvalid(inRow: Map<string, number>, invalid: number, valid: number, branch = ''): number {
  const count = valid > 0 ? 0 : (inRow.get(branch) ?? 0) + Math.sign(invalid);
  if (count > 0) inRow.set(branch, count);
  else inRow.delete(branch);
  return count;
}

/** Sums the costs of an invocation's events. */
class Meter {
  private readonly sum: Spending;

  constructor(
    private readonly budget: Budget,
    spent: Spent,
  ) {
    this.sum = { ...spent };
  }

  get end(): BudgetEnd | undefined {
    const { tokens = Infinity, usd = Infinity, bytes = Infinity } = this.budget;
    if (this.sum.tokens >= tokens) return 'TOKEN_LIMIT';
    if (this.sum.usd >= usd) return 'COST_LIMIT';
    return this.sum.bytes >= bytes ? 'BYTE_LIMIT' : undefined;
  }

  note(event: Event): void {
    addUsage(this.sum, event, this.budget);
  }

  add(costs: ModelCosts): void {
    addCosts(this.sum, costs);
  }
}

/** What was spent so far. */
type Spending = { -readonly [Key in Exclude<keyof Spent, 'invalidInRow'>]: number };

/** What the answers of models cost. */
export interface ModelCosts {
  /** Tokens, as the models report them. */
  readonly tokens: number;
  /** US dollars; 0 if no function `cost` was there to tell them. */
  readonly usd: number;
}

/** Model calls, and what their answers cost so far. */
export interface ModelSpending extends ModelCosts {
  /** Model calls so far. */
  readonly llmCalls: number;
}

export const NO_SPENDING: ModelSpending = Object.freeze({ llmCalls: 0, tokens: 0, usd: 0 });

export const ONE_CALL: ModelSpending = Object.freeze({ llmCalls: 1, tokens: 0, usd: 0 });

export function addSpending(one: ModelSpending, other: ModelSpending): ModelSpending {
  return {
    llmCalls: one.llmCalls + other.llmCalls,
    tokens: one.tokens + other.tokens,
    usd: one.usd + other.usd,
  };
}

type Usage = GenerateContentResponseUsageMetadata;

/** Adds what an event says of its own costs. */
function addUsage(sum: Spending, event: Event, budget: Budget): void {
  const { usageMetadata, author } = event;
  if (usageMetadata) addCosts(sum, costsOf(usageMetadata, author, budget));
  if (budget.bytes !== undefined) sum.bytes += resultBytes(event);
}

function addCosts(sum: Spending, { tokens, usd }: ModelCosts): void {
  sum.tokens += tokens;
  sum.usd += usd;
}

/** The costs of a model call. An unknown price is `Infinity`, which exceeds every limit. */
function costsOf(usage: Usage | undefined, agentName: string, { cost }: Budget): ModelCosts {
  const tokens = tokensOf(usage);
  if (!usage || !cost) return { tokens, usd: 0 };
  try {
    const usd: unknown = cost(usage, agentName);
    return { tokens, usd: typeof usd === 'number' && usd >= 0 ? usd : Infinity };
  } catch {
    return { tokens, usd: Infinity };
  }
}

/** The tokens of a model call: the reported total, or the sum of all kinds if there is none. Cached tokens are in the prompt. */
function tokensOf(usage: Usage = {}): number {
  const { totalTokenCount, promptTokenCount, candidatesTokenCount } = usage;
  const { thoughtsTokenCount, toolUsePromptTokenCount } = usage;
  const kinds = [promptTokenCount, candidatesTokenCount, thoughtsTokenCount, toolUsePromptTokenCount];
  return amountOf(totalTokenCount) || kinds.reduce<number>((sum, count) => sum + amountOf(count), 0);
}

function resultBytes({ author, content }: Event): number {
  if (author === 'user') return 0;
  return functionResponsesOf(content).reduce(
    (sum, { response = {} }) => sum + Buffer.byteLength(JSON.stringify(response)),
    0,
  );
}

/**
 * The key of an event's custom metadata for the number of model calls that the event tells of. Written where it is not 1 for
 * what an LLM agent said, and 0 for any other event: for a model that failed, an answer that no model gave, and the calls
 * of tools to a model. So the log holds the count, also for another process.
 */
const LLM_CALLS = 'adorn:llmCalls';

/**
 * The key of an event's custom metadata for what those models cost that tools asked: `{ tokens, usd }`. A price that could
 * not be told is written as `usd: null`.
 */
const MODEL_COSTS = 'adorn:modelCosts';

/** The key of the custom metadata of a response event that is `true` if all calls of the answer were invalid. */
const ONLY_INVALID = 'adorn:onlyInvalidCalls';

export const ONLY_INVALID_CALLS: Readonly<Record<string, unknown>> = Object.freeze({ [ONLY_INVALID]: true });

/** The number of model calls as the custom metadata of the event that records them. */
export function recordedCalls(llmCalls: number): Record<string, unknown> {
  return { [LLM_CALLS]: llmCalls };
}

/** Model calls as the custom metadata of the event that records them; undefined if there were none. */
export function recordedSpending({
  llmCalls,
  tokens,
  usd,
}: ModelSpending): Record<string, unknown> | undefined {
  if (llmCalls === 0) return undefined;
  if (tokens === 0 && usd === 0) return recordedCalls(llmCalls);
  return { ...recordedCalls(llmCalls), [MODEL_COSTS]: { tokens, usd: Number.isFinite(usd) ? usd : null } };
}

/**
 * The budget spent on a request before it was answered or resumed. Does not include a model call whose process died before
 * its answer was stored.
 *
 * @param events of the invocations that worked on it. Counts the time within each, not the pauses between them
 */
export function spentBefore(events: readonly Event[], root: AgentNode, { budget }: BudgetLimits): Spent {
  const sum: Spending = { ...NOTHING_SPENT };
  const invalidInRow = new Map<string, number>();
  const since = new Map<string, number>();
  for (const event of events) {
    const { actions, timestamp, invocationId, branch } = event;
    sum.llmCalls += llmCallsOf(event, root);
    if (actions.transferToAgent !== undefined) sum.transfers++;
    addUsage(sum, event, budget);
    addCosts(sum, recordedCosts(event));
    if (event.customMetadata?.[ONLY_INVALID] === true) countInvalid(invalidInRow, 1, 0, branch);
    else if (event.author !== 'user' && functionResponsesOf(event.content).length > 0)
      countInvalid(invalidInRow, 0, 1, branch);
    sum.ms += Math.max(0, timestamp - (since.get(invocationId) ?? timestamp)) * 1000;
    since.set(invocationId, timestamp);
  }
  return { ...sum, invalidInRow };
}

function llmCallsOf(event: Event, root: AgentNode): number {
  const { author, content, customMetadata } = event;
  const told = customMetadata?.[LLM_CALLS];
  if (typeof told === 'number' && told >= 0) return told;
  if (author === 'user' || content?.role !== 'model') return 0;
  return agentOf(root, event)?.isLlmAgent === false ? 0 : 1;
}

/** What models cost that tools have asked, as an event records it. A price that could not be told is `Infinity`. */
export function recordedCosts({ customMetadata }: Pick<Event, 'customMetadata'>): ModelCosts {
  const { tokens, usd } = (customMetadata?.[MODEL_COSTS] ?? {}) as { tokens?: unknown; usd?: unknown };
  return { tokens: amountOf(tokens), usd: usd === null ? Infinity : amountOf(usd) };
}

function amountOf(told: unknown): number {
  return typeof told === 'number' && told >= 0 ? told : 0;
}
