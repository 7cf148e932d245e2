import type { PolicyRun, ToolTraits } from '@adorn/core/backend';

/** One policy of one tool, with its state between calls. */
export interface Policy {
  around(next: PolicyRun): PolicyRun;
}

/** Creates a policy from a tool's options; undefined if the tool does not have the policy. */
export type PolicyFactory = (traits: ToolTraits) => Policy | undefined;
