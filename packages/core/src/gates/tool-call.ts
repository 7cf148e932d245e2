import { hash } from 'node:crypto';

import type { ApproverRules } from '../approvals/approver-rule.js';
import type { RequestedAuthConfig } from '../auth/requested-auth-config.js';
import type { CallbackChain } from './callbacks/callback-chain.js';
import type { StoredAgain } from '../events/asked-again.js';
import type { CallAsker } from '../events/call-asker.js';
import type { CallEnding } from '../events/call-ending.js';
import type { EventSink } from '../events/event-sink.js';
import type { EffectPlace, Receipt } from '../events/undo-mark.js';
import type { AgentNode } from '../run/agent-node.js';
import type { Answer } from '../log/pending-call-index.js';
import type { InvocationContext } from '../run/invocation-context.js';
import { canonicalJson, frozenJson, type Arguments } from '@adorn/schema';
import type { ReaderWait } from './reader-wait.js';
import { decided } from './tool-predicate.js';
import type { Awaitable } from '../runtime/awaitable.js';
import type { GuardedObservation } from '../run/telemetry/observation.js';
import type { Confirmation, InputQuestion } from '../tools/tool-requests.js';
import type { ToolContext } from '../tools/tool-context.js';
import type { ToolEntry } from '../tools/tool-table.js';
import type { Tool } from '../tools/tool.js';
import type { EndedCall } from './ended-call.js';
import { reportable } from './outcome.js';

/** A call of a model on its way to the tool. */
export interface ToolCall {
  readonly id: string;
  readonly entry: ToolEntry;
  /** The model's arguments, until the shape gate replaces them with the checked ones. */
  args: Arguments;
  readonly context: ToolContext;
  readonly invocation: InvocationContext;
  readonly agent: AgentNode;
  readonly callbacks: CallbackChain;
  /** True if `beforeTool` has been called for the call. */
  isIntercepted: boolean;
  /** Set when the tool first emits an event. */
  readerWait?: ReaderWait;
  /** Called when the call has passed all gates and its tool is about to run. */
  started?: () => void;
  /** The tool while it runs, also if it is left alone because its time, or its run, is over. */
  running?: Promise<unknown> | undefined;
  /** Present if a plugin observes the call. */
  observation?: GuardedObservation;
  /** A person's answer to this call. */
  readonly answer?: Answer | undefined;
  /** The arguments that a `ConfirmationProvider` has approved in this run. */
  decided?: Arguments;
  /** Set when the tool has ended, before a callback after it is called. */
  ended?: EndedCall;
  /** The entry of the call in the effect ledger, if its tool has `once`. */
  effect?: EffectPlace;
  /** Set when the tool has returned, if it has an undo. */
  receipt?: Receipt | undefined;
}

/** A request to a person, for which a call waits. `askedBy` is the function of the call that asks, if one does. */
export type Question = (
  | (ShownCall & {
      readonly kind: 'confirmation';
      readonly confirmation: Confirmation;
      /** Which later calls an approval for the session covers. Default: all. */
      readonly remember?: string | false;
    })
  | (ShownCall & { readonly kind: 'input'; readonly input: InputQuestion })
  | {
      readonly kind: 'credential';
      readonly authConfig: RequestedAuthConfig;
      /** Why the service has rejected the last one. */
      readonly hint?: string | undefined;
    }
) & {
  readonly askedBy?: CallAsker;
  /** Who may answer. Default: nothing was said. */
  readonly approvers?: ApproverRules | undefined;
  /** Why the call asks again; undefined for the first question about it. */
  readonly askedAgain: StoredAgain | undefined;
};

/** The parts of a call that a person is shown. */
interface ShownCall {
  /** A snapshot of the arguments. */
  readonly args: Arguments;
  /** Digest of the tool's definition. */
  readonly definition: string;
}

/** How a call ended, or why it waits. */
export type ToolOutcome =
  /** The tool returned a result. `continues`: it is a handle, and the result comes later. */
  | { readonly kind: 'completed'; readonly response: ToolResponse; readonly continues?: boolean }
  /** The call failed. `invalid`: its arguments do not fit the tool. */
  | {
      readonly kind: 'failed';
      readonly response: ToolResponse;
      readonly error: unknown;
      readonly invalid?: boolean;
    }
  /** A person, a callback or a policy refused the call. */
  | { readonly kind: 'refused'; readonly response: ToolResponse }
  /** The call waits for a person. `ending`: what the tool ended with, if a callback after it asks. */
  | { readonly kind: 'paused'; readonly question: Question; readonly ending?: CallEnding | undefined }
  /** The tool runs an agent, which waits for a person. */
  | { readonly kind: 'waiting' }
  /** The tool runs in the background. `outcome` never rejects. */
  | { readonly kind: 'running'; readonly response: ToolResponse; readonly outcome: Promise<ToolOutcome> };

/** The response to the model. */
export type ToolResponse = Record<string, unknown>;

/** A call with its outcome; `call` is absent if no tool has the name, and the call was answered at once. */
export interface SettledCall {
  readonly id: string;
  readonly name: string;
  readonly call?: ToolCall | undefined;
  readonly outcome: ToolOutcome;
}

/** True if the call needs an answer before it has a result. */
export function isWaiting(
  outcome: ToolOutcome,
): outcome is Extract<ToolOutcome, { kind: 'paused' | 'waiting' }> {
  return outcome.kind === 'paused' || outcome.kind === 'waiting';
}

/** True if the tool runs in the background, and its result comes later in the run. */
export function isRunning({ outcome }: SettledCall): boolean {
  return outcome.kind === 'running';
}

/** True for a call of a live session whose tool listens to what the user sends. */
export function isListening({ entry, invocation }: Pick<ToolCall, 'entry' | 'invocation'>): boolean {
  return entry.tool.takesLiveInput && invocation.isLive;
}

/** True if the response is a handle of a long-running tool: the call continues. */
export function isHandle({ outcome }: SettledCall): boolean {
  return outcome.kind === 'completed' && outcome.continues === true;
}

/**
 * `open` passes a call on to the next gate; an outcome settles it. `again`: the gate has changed the arguments, and the call
 * enters the first gate again. `intercept` calls `beforeTool`, at most once for a call: if it changes the arguments, the
 * call enters the first gate again, else the same gate again.
 */
export type GateVerdict = 'open' | 'again' | 'intercept' | ToolOutcome;

/** A check that a call passes before its tool runs. Gates are independent of each other; a gate that throws fails the call. */
export interface ToolGate {
  /** The gate's name for observers. */
  readonly name?: string;
  enter(call: ToolCall, sink: EventSink): Awaitable<GateVerdict>;
  /** Drops the gate's state between calls. Called when the runner is closed. */
  close?(): void;
}

/** A snapshot of the call for a person: later changes of the arguments do not affect it. */
export function shownOf({ entry, args }: ToolCall): ShownCall {
  return { args: frozenJson(args), definition: definitionDigest(entry.tool) };
}

/**
 * Digest of what a person approves besides the arguments: the tool's name, description, declaration, effect and fixed
 * hint. An approval is void if the digest changes.
 */
export function definitionDigest(tool: Tool): string {
  return `sha256:${hash('sha256', canonicalJson(tool.definition), 'base64url')}`;
}

/** True if the tool declares a call repeatable; false if it throws or returns anything but `true`. Never rejects. */
export async function isIdempotent(call: ToolCall): Promise<boolean> {
  const { entry, invocation, id } = call;
  const { tool } = entry;
  const { cancellation, services } = invocation;
  try {
    const decide: typeof tool.isIdempotent = (args, context) => tool.isIdempotent(args, context);
    return (await decided(call, 'idempotent', 'check by idempotent', decide)) === true;
  } catch (error) {
    if (cancellation.isCancelled) return false;
    services.logger.warn(
      `tool "${tool.name}" failed to decide whether a call is idempotent: the call is not repeated`,
      {
        callId: id,
        error: reportable(call, error),
      },
    );
    return false;
  }
}
