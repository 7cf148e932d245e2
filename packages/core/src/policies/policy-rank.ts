import type { ToolTraits } from '../tools/tool.js';
import { cachePolicy } from './cache.policy.js';
import { concurrencyPolicy } from './concurrency.policy.js';
import type { PolicyCall, PolicyFactory, PolicyRun } from './policy.js';
import { rateLimitPolicy } from './rate-limit.policy.js';
import { retryPolicy } from './retry.policy.js';

/**
 * The policies around a run, outermost first; the order is said nowhere else, and the order in which options are written
 * never matters. A cached result takes no slot and counts for no rate; each attempt of a retry takes a slot and counts;
 * a call waits for a slot before it counts, so that it starts when it is counted. The time limit is innermost, around
 * each attempt.
 */
const RANK: readonly PolicyFactory[] = [cachePolicy, retryPolicy, concurrencyPolicy, rateLimitPolicy];

/** The options that policies are made from. */
export type PolicyTraits = Pick<ToolTraits, 'cache' | 'retry' | 'rateLimit' | 'concurrency'>;

/** The policies of a tool as one function. Each call of it makes new policies, with empty state. */
export function composePolicies(traits: PolicyTraits): PolicyRun {
  return RANK.reduceRight<PolicyRun>((next, policyOf) => policyOf(traits)?.around(next) ?? next, attempt);
}

function attempt(call: PolicyCall): Promise<unknown> {
  return call.attempt();
}
