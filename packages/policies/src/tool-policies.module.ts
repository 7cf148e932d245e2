import { ContainerModule } from '@adorn/core';
import { ToolPolicies } from '@adorn/core/backend';

import { RankedPolicies } from './policy-rank.js';

/**
 * Policies for the tools of a runner: `cache`, `retry`, `rateLimit` and `concurrency` of `@tool`. Their state belongs to one
 * runner. `createRunner` of `adorn` has this module.
 *
 * @example
 * const runner = await createRunner(Support, { modules: [toolPolicies] });
 */
export const toolPolicies = new ContainerModule(({ bind, isBound }) => {
  if (!isBound(ToolPolicies)) bind(ToolPolicies).toDynamicValue(() => new RankedPolicies());
});
