/* eslint-disable @typescript-eslint/no-unsafe-declaration-merging -- the callbacks are declared once; each is optional, so the class promises nothing that it lacks */
import type { AgentCallbacks } from './agent-callbacks.js';
import type { RunCallbacks } from './run-callbacks.js';

/**
 * Callbacks for all agents of a runner, and for its runs. Extend it and override the methods of {@link AgentCallbacks}
 * and {@link RunCallbacks} that you need.
 */
export abstract class Plugin {
  /** Unique among the plugins of a runner. */
  abstract readonly name: string;
}

// The callbacks, each of which a subclass may have as a method.
export interface Plugin extends AgentCallbacks, RunCallbacks {}

/** The name of a callback in errors, with that of its plugin. */
export function callbackLabel(hook: string, owner: object): string {
  return owner instanceof Plugin ? `${hook} of the plugin "${owner.name}"` : hook;
}
