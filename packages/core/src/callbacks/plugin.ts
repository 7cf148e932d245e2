/* eslint-disable @typescript-eslint/no-unsafe-declaration-merging, @typescript-eslint/no-empty-object-type -- the callbacks are declared once; each is optional, so the class promises nothing that it lacks */
import type { AgentCallbacks } from './agent-callbacks.js';

/** Callbacks for all agents of a runner. Extend it and override the methods of {@link AgentCallbacks} that you need. */
export abstract class Plugin {
  /** Unique among the plugins of a runner. */
  abstract readonly name: string;
}

// The callbacks, each of which a subclass may have as a method.
export interface Plugin extends AgentCallbacks {}
