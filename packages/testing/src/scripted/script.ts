import type { ModelRequest } from '@adorn/core';

import type { ScriptedStep } from './scripted-step.js';

/** The steps of each agent, by its name. */
export type ScriptsByAgent = Readonly<Record<string, readonly ScriptedStep[]>>;

/** Where a scripted model takes its steps from. */
export interface Script {
  /** Takes the step that answers a request; undefined if there is none. */
  next(request: ModelRequest): ScriptedStep | undefined;
  /** Why a request has no step, as a sentence. */
  missing(request: ModelRequest, call: number): string;
  /** The unused steps, in words; undefined if there are none. */
  left(): string | undefined;
}

/** The same steps for whoever asks. */
export function sharedScript(given: readonly ScriptedStep[]): Script {
  const steps = [...given];
  return {
    next: () => steps.shift(),
    missing: (_, call) => `Call ${String(call)} of the scripted model has no step in its script.`,
    left: () => (steps.length > 0 ? String(steps.length) : undefined),
  };
}

/** Steps of its own for each agent. */
export function scriptsByAgent(given: ScriptsByAgent): Script {
  const scripts = new Map(Object.entries(given).map(([agent, steps]) => [agent, [...steps]]));
  return {
    next: ({ agentName = '' }) => scripts.get(agentName)?.shift(),
    missing({ agentName = '' }, call) {
      if (scripts.has(agentName))
        return `Call ${String(call)} of the scripted model, by the agent ${agentName}, has no step in its script.`;
      const others = [...scripts.keys()].join(', ');
      return `There is no script for the agent ${agentName}, which has asked the scripted model. There are scripts for ${others}.`;
    },
    left() {
      const unused = [...scripts].filter(([, steps]) => steps.length > 0);
      const words = unused.map(([agent, steps]) => `${agent} ${String(steps.length)}`);
      return words.length > 0 ? words.join(', ') : undefined;
    },
  };
}

/** One step, for every request. */
export function endlessScript(step: ScriptedStep): Script {
  return { next: () => step, missing: () => '', left: () => undefined };
}
