import type { Tool } from '@adorn/core';
import {
  composedKey,
  isSameJson,
  type PolicyCall,
  type PolicyRun,
  ToolPolicies,
  type ToolTraits,
} from '@adorn/core/backend';

import { cachePolicy } from './cache.policy.js';
import { concurrencyPolicy } from './concurrency.policy.js';
import type { PolicyFactory } from './policy.js';
import { rateLimitPolicy } from './rate-limit.policy.js';
import { retryPolicy } from './retry.policy.js';

/**
 * The policies around a run, outermost first. This list alone decides the order; the order of a tool's options does not
 * matter. A cached result takes no slot and does not count towards the rate. Each attempt of a retry takes a slot and
 * counts. A call waits for a slot before it counts, so that it starts when it is counted. The time limit is innermost,
 * around each attempt.
 */
const RANK: readonly PolicyFactory[] = [cachePolicy, retryPolicy, concurrencyPolicy, rateLimitPolicy];

/** The options of all policies. */
type PolicyTraits = Pick<ToolTraits, 'cache' | 'retry' | 'rateLimit' | 'concurrency'>;

/** Composes the policies of a tool into one function, with empty state. */
export function composePolicies(traits: PolicyTraits): PolicyRun {
  return RANK.reduceRight<PolicyRun>((next, policyOf) => policyOf(traits)?.around(next) ?? next, attempt);
}

function attempt(call: PolicyCall): Promise<unknown> {
  return call.attempt();
}

/** Maximum number of toolset tools whose policy state is kept between listings. */
const MOST_NAMES = 1_000;

/** The policies in the order of their rank, with their state: cached results, counted calls, queues. */
export class RankedPolicies extends ToolPolicies {
  private runs = new WeakMap<Tool, PolicyRun>();
  /** By agent and tool name, because a toolset may list the same tool as a new object in every turn. */
  private readonly named = new Map<string, NamedPolicies>();

  /** Composed once for a tool. */
  runOf(tool: Tool, agentName: string): PolicyRun {
    return this.runs.get(tool) ?? this.compose(tool, agentName);
  }

  close(): void {
    this.runs = new WeakMap();
    this.named.clear();
  }

  private compose(tool: Tool, agentName: string): PolicyRun {
    const { run } = this.findNamed(composedKey(agentName, tool.name), policyTraits(tool.traits));
    this.runs.set(tool, run);
    return run;
  }

  /** Replaces the policies if the options have changed, because the old state does not fit. */
  private findNamed(key: string, traits: PolicyTraits): NamedPolicies {
    const known = this.named.get(key);
    const policies =
      known && isSameJson(known.traits, traits) ? known : { traits, run: composePolicies(traits) };
    this.named.delete(key);
    if (this.named.size >= MOST_NAMES) this.named.delete(this.named.keys().next().value as string);
    this.named.set(key, policies);
    return policies;
  }
}

interface NamedPolicies {
  readonly traits: PolicyTraits;
  readonly run: PolicyRun;
}

/** A copy, so that later changes of the options do not affect policies in use. */
function policyTraits({ cache, retry, rateLimit, concurrency }: ToolTraits): PolicyTraits {
  return structuredClone({ cache, retry, rateLimit, concurrency });
}
