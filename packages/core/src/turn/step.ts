import type { EventSink } from '../events/event-sink.js';
import type { Event } from '../events/event.js';
import type { AgentNode } from '../run/agent-node.js';
import type { Performed } from '../run/emit-events.js';
import type { InvocationContext } from '../run/invocation-context.js';
import type { BackgroundCalls, EndedCalls } from './background-calls.js';
import type { CallBatch } from './call-batch.js';
import type { OpenTurn } from './open-turn.js';
import { type EndCode, endEvent, type PlannedAgent } from './turn-agent.js';

/** One run of an LLM agent. */
export interface Turn {
  readonly agent: PlannedAgent;
  readonly context: InvocationContext;
  readonly sink: EventSink;
  /** The turn for what makes its calls in place of a model. */
  open?: OpenTurn | undefined;
  /** The background calls whose results have not been delivered. */
  readonly background: BackgroundCalls;
  /** How often the model was called. */
  asked: number;
  /** How many responses in a row could not be used. After the first one, the model is asked once more. */
  refusals: number;
  /** How many requests in a row the model refused as too long. */
  tooLong: number;
  /** Why the last response could not be used, in sentences that the model reads; undefined if a response to its call says so. */
  refusal: string | undefined;
}

/** Why a response could not be used, as the model reads it. */
export function refusalIn({ errorCode, errorMessage }: Event): string {
  return errorMessage ?? String(errorCode);
}

/** What makes the calls of an agent in place of its model, such as a script. */
export interface CallSource {
  /** Makes the next calls, or ends the turn. Called when all calls before have a response, and when a run resumes. */
  ask(turn: OpenTurn): Promise<Step>;
  /** Called when the turn is over, or pauses: releases what belongs to it. */
  end(turn: OpenTurn): void;
}

/** The next step of a turn. */
export type Step =
  | { readonly kind: 'ask' }
  | { readonly kind: 'calls'; readonly batch: CallBatch }
  /** Results of background calls, which come before the step that is due. */
  | { readonly kind: 'results'; readonly ended: EndedCalls; readonly due: Step }
  /** Another agent takes over, or is called. `index`: of the recorded transfer, if the run was resumed. */
  | { readonly kind: 'transfer'; readonly successor: AgentNode; readonly index?: number }
  /** The model has responded without a call: the turn ends, unless a background call has a result for it. */
  | { readonly kind: 'answered' }
  /** The turn ends. `event`: the closing event, if there is one. */
  | { readonly kind: 'end'; readonly event?: Event }
  | { readonly kind: 'over'; readonly performed: Performed };

export const ASK: Step = Object.freeze({ kind: 'ask' });
export const ANSWERED: Step = Object.freeze({ kind: 'answered' });
export const END: Step = Object.freeze({ kind: 'end' });
export const OVER: Extract<Step, { kind: 'over' }> = Object.freeze({ kind: 'over', performed: 'done' });
export const STOPPED: Step = Object.freeze({ kind: 'over', performed: 'stopped' });

export function endWith(code: EndCode, { agent, context }: Turn): Step {
  return { kind: 'end', event: endEvent(agent, context, code) };
}
