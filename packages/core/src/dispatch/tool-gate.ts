import type { Awaitable } from '../runtime/awaitable.js';
import type { EventSink, ToolCall, ToolOutcome } from './tool-call.js';

/**
 * `open` lets a call through to the next gate; an outcome settles it. `intercept` has `beforeTool` asked, at most once
 * for a call: if it changes the arguments, the call enters the first gate again, else it enters the same gate again.
 */
export type GateVerdict = 'open' | 'intercept' | ToolOutcome;

/** One stop on a call's way to its tool. Gates know nothing of each other; one that throws fails the call. */
export interface ToolGate {
  enter(call: ToolCall, sink: EventSink): Awaitable<GateVerdict>;
}
