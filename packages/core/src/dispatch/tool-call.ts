import { hash } from 'node:crypto';

import type { RequestedAuthConfig } from '../auth/requested-auth-config.js';
import type { CallbackChain } from '../callbacks/callback-chain.js';
import type { Event } from '../events/event.js';
import type { AgentNode } from '../invocation/agent-node.js';
import type { Answer } from '../log/pending-call-index.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import { canonicalJson, frozenJson } from '../json/json-value.js';
import type { ReaderWait } from '../policies/reader-wait.js';
import { withinCheckTime } from '../policies/time-limit.js';
import type { Awaitable } from '../runtime/awaitable.js';
import type { Arguments } from '../schema/argument-check.js';
import type { Confirmation, InputQuestion } from '../tools/tool-requests.js';
import type { ToolContext } from '../tools/tool-context.js';
import type { ToolEntry } from '../tools/tool-table.js';
import type { Tool } from '../tools/tool.js';
import { reportable } from './outcome.js';

/** A call of a model on its way to the tool. */
export interface ToolCall {
  readonly id: string;
  readonly entry: ToolEntry;
  /** As the model gave them, until the shape gate puts the checked ones in their place. */
  args: Arguments;
  readonly context: ToolContext;
  readonly invocation: InvocationContext;
  readonly agent: AgentNode;
  readonly callbacks: CallbackChain;
  /** Whether `beforeTool` was asked about the call. */
  isIntercepted: boolean;
  /** Set when the tool first emits an event. */
  readerWait?: ReaderWait;
  /** What a person answered to this very call. */
  readonly answer?: Answer | undefined;
}

/** A question for a person that holds a call up. `askedBy` says that the tool asked while it ran. */
export type Question =
  | (ShownCall & {
      readonly kind: 'confirmation';
      readonly confirmation: Confirmation;
      readonly askedBy?: 'tool';
    })
  | (ShownCall & { readonly kind: 'input'; readonly input: InputQuestion; readonly askedBy: 'tool' })
  | { readonly kind: 'credential'; readonly authConfig: RequestedAuthConfig; readonly askedBy?: 'tool' };

/** What a person is shown of the call. */
interface ShownCall {
  /** A snapshot of the arguments. */
  readonly args: Arguments;
  /** Digest of the tool's definition. */
  readonly definition: string;
}

/** How a call ended, or why it waits. */
export type ToolOutcome =
  /** The tool answered. `continues`: it is a handle, and the result comes later. */
  | { readonly kind: 'completed'; readonly response: ToolResponse; readonly continues?: boolean }
  /** It did not; `invalid`: the model called it wrongly. */
  | {
      readonly kind: 'failed';
      readonly response: ToolResponse;
      readonly error: unknown;
      readonly invalid?: boolean;
    }
  /** A person said no. */
  | { readonly kind: 'refused'; readonly response: ToolResponse }
  | { readonly kind: 'paused'; readonly question: Question }
  /** Its tool runs an agent, which waits for somebody. */
  | { readonly kind: 'waiting' };

/** What the model is answered. */
export type ToolResponse = Record<string, unknown>;

/** Where a call puts what happens while it runs: progress, and the events of an agent that is a tool. */
export interface EventSink {
  /** Resolves when the event was taken. */
  emit(event: Event): Promise<void>;
}

/** A call with its outcome, or one that never had a tool and was answered at once. */
export interface SettledCall {
  readonly id: string;
  readonly name: string;
  readonly call?: ToolCall | undefined;
  readonly outcome: ToolOutcome;
}

/** Whether somebody has to answer before the call has a result. */
export function isWaiting(
  outcome: ToolOutcome,
): outcome is Extract<ToolOutcome, { kind: 'paused' | 'waiting' }> {
  return outcome.kind === 'paused' || outcome.kind === 'waiting';
}

/** Whether the call goes on after its response: a long-running tool gave a handle. */
export function isHandle({ outcome }: SettledCall): boolean {
  return outcome.kind === 'completed' && outcome.continues === true;
}

/**
 * `open` lets a call through to the next gate; an outcome settles it. `intercept` has `beforeTool` asked, at most once
 * for a call: if it changes the arguments, the call enters the first gate again, else it enters the same gate again.
 */
export type GateVerdict = 'open' | 'intercept' | ToolOutcome;

/** One stop on a call's way to its tool. Gates know nothing of each other; one that throws fails the call. */
export interface ToolGate {
  enter(call: ToolCall, sink: EventSink): Awaitable<GateVerdict>;
  /** Drops what the gate keeps between calls. Called when the runner is closed. */
  close?(): void;
}

/** The call as a person is shown it: nothing that is done later to the arguments changes it. */
export function shownOf({ entry, args }: ToolCall): ShownCall {
  return { args: frozenJson(args), definition: definitionDigest(entry.tool) };
}

/**
 * Digest of what a person approves besides the arguments: the tool's name, description, declaration, effect and
 * fixed question. An approval is void once it changes.
 */
export function definitionDigest(tool: Tool): string {
  return `sha256:${hash('sha256', canonicalJson(tool.definition), 'base64url')}`;
}

/** True if the tool says of a call that it may run again; a throw and all but `true` are a no. Never rejects. */
export async function isIdempotent(call: ToolCall): Promise<boolean> {
  const { entry, args, context, invocation, id } = call;
  const { tool } = entry;
  const { cancellation, services } = invocation;
  try {
    const deciding = (async () => tool.isIdempotent(args, context.withoutCredential()))();
    return (await withinCheckTime(deciding, { tool, cancellation, part: 'check by idempotent' })) === true;
  } catch (error) {
    if (cancellation.isCancelled) return false;
    services.logger.warn(
      `tool "${tool.name}" cannot tell whether a call is idempotent: it does not run again`,
      {
        callId: id,
        error: reportable(call, error),
      },
    );
    return false;
  }
}
