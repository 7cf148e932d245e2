import type { Event } from '@adorn/core';
import {
  costOfUsage,
  LIST,
  type ModelPrices,
  OBJECT,
  type OptionRules,
  priceOf,
  PUBLISHED_PRICES,
  recordedCosts,
  required,
  rule,
} from '@adorn/core/backend';

import { type EvalConversation, requireTools } from '../conversation.js';
import { checkMetric } from '../metrics/metric-options.js';
import type { EvalGate } from './gate.js';
import { callsIn, shownCall } from './logged-call.js';

const LIMIT = required(
  rule((value) => Number.isFinite(value) && (value as number) >= 0, 'Pass a number of at least 0.'),
);

/** The options of {@link maxToolCalls}. */
export interface MaxToolCallsOptions {
  /** How many calls a conversation may have. */
  readonly calls: number;
  /** Names of the tools whose calls are counted. Default: all. */
  readonly tools?: readonly string[];
}

const CALLS: OptionRules<MaxToolCallsOptions> = { calls: LIMIT, tools: LIST };

/** `max_tool_calls`: how many calls of tools the conversation has. */
export function maxToolCalls(options: MaxToolCallsOptions): EvalGate {
  checkMetric('maxToolCalls', options, CALLS);
  const { calls: limit, tools } = options;
  return {
    name: 'max_tool_calls',
    description: 'Calls of tools in a conversation.',
    limit,
    measure: (conversation) => {
      requireTools(tools, conversation);
      return { value: callsIn(conversation).filter(({ tool }) => tools?.includes(tool) ?? true).length };
    },
  };
}

/** The options of {@link maxToolErrorRate}. */
export interface MaxToolErrorRateOptions {
  /** The highest share of calls that may fail: 0 to 1. */
  readonly rate: number;
}

/** `max_tool_error_rate`: the share of calls that failed. One that a person rejected counts neither way. */
export function maxToolErrorRate(options: MaxToolErrorRateOptions): EvalGate {
  checkMetric('maxToolErrorRate', options, { rate: LIMIT } satisfies OptionRules<MaxToolErrorRateOptions>);
  return {
    name: 'max_tool_error_rate',
    description: 'The share of tool calls that failed.',
    limit: options.rate,
    measure: (conversation) => {
      const ended = callsIn(conversation).filter(
        ({ status, isRejected }) => status !== 'open' && !isRejected,
      );
      if (ended.length === 0) return undefined;
      const failed = ended.filter(({ status }) => status === 'error' || status === 'unknown');
      const value = failed.length / ended.length;
      return failed.length === 0 ? { value } : { value, detail: failed.map(shownCall).join('; ') };
    },
  };
}

/** The options of {@link maxLatency}. */
export interface MaxLatencyOptions {
  /** Milliseconds that a turn may take. */
  readonly ms: number;
}

/**
 * `max_latency_ms`: the milliseconds of the slowest turn, from the message of the user to the last event, without the time in
 * which the run waited for an answer of a person.
 */
export function maxLatency(options: MaxLatencyOptions): EvalGate {
  checkMetric('maxLatency', options, { ms: LIMIT } satisfies OptionRules<MaxLatencyOptions>);
  return {
    name: 'max_latency_ms',
    description: 'Milliseconds of the slowest turn.',
    limit: options.ms,
    measure: ({ session }) => {
      const turns = turnTimes(session.events);
      return turns.length === 0 ? undefined : { value: Math.round(Math.max(...turns)) };
    },
  };
}

/** Milliseconds of each turn. */
export function turnTimes(events: readonly Event[]): readonly number[] {
  const turns: number[] = [];
  let before: Event | undefined;
  for (const event of events) {
    const isMessage = event.author === 'user' && event.functionResponses.length === 0;
    if (isMessage) turns.push(0);
    else if (before && event.author !== 'user')
      turns.push((turns.pop() ?? 0) + Math.max(0, event.timestamp - before.timestamp) * 1_000);
    before = event;
  }
  return turns;
}

/** The options of {@link maxCost}. */
export interface MaxCostOptions {
  /** US dollars that a conversation may cost. */
  readonly usd: number;
  /** Prices by the beginnings of models' names, beside the published ones. */
  readonly prices?: ModelPrices;
}

const COST: OptionRules<MaxCostOptions> = { usd: LIMIT, prices: OBJECT };

/** `max_cost_usd`: what the model calls of a conversation cost in US dollars. Throws for a model whose price is not known. */
export function maxCost(options: MaxCostOptions): EvalGate {
  checkMetric('maxCost', options, COST);
  const prices = { ...PUBLISHED_PRICES, ...options.prices };
  return {
    name: 'max_cost_usd',
    description: 'US dollars that the model calls of a conversation cost.',
    limit: options.usd,
    measure: (conversation) => ({ value: costOf(conversation, prices) }),
  };
}

/** @throws {Error} if the price of an answer is not known: a sum without it would be too low */
function costOf({ session, models }: EvalConversation, prices: ModelPrices): number {
  let usd = 0;
  for (const event of session.events) {
    const { usageMetadata: usage, modelVersion = '', author } = event;
    usd += recordedCosts(event).usd;
    if (!usage) continue;
    const model = models.get(author) ?? '';
    const price = priceOf(modelVersion, prices) ?? priceOf(model, prices);
    if (!price)
      throw new Error(`The price of the model "${modelVersion || model}" is not known. Pass it as prices.`);
    usd += costOfUsage(usage, price);
  }
  return usd;
}
