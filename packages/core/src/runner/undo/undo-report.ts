import { isObject } from '@adorn/schema';

import { LlmAgentNode } from '../../agents/agent-nodes.js';
import { functionCallsOf, functionResponsesOf } from '../../events/content-parts.js';
import type { Event } from '../../events/event.js';
import type { FunctionCall } from '../../events/genai-types.js';
import { isRequestName } from '../../events/pending-request.js';
import { logOf, type Session } from '../../events/session.js';
import { type CallPlace, isRead, type Receipt, receiptIn, undoOf } from '../../events/undo-mark.js';
import { type BegunUndo, BegunUndos } from '../../log/begun-undos.js';
import { type InvocationChain, InvocationChains } from '../../log/invocation-chains.js';
import { type AgentNode, agentOf } from '../../run/agent-node.js';
import type { Tool } from '../../tools/tool.js';
import { InvocationNotFoundError } from '../errors.js';
import { FORKED_FROM } from '../recover/fork.js';

/**
 * What has become of a call that is to be undone. `waiting`: its undo waits for a person. `failed`: its undo failed or was
 * refused, and has changed nothing. `unknown`: its undo has not told how it ended. `left`: its undo has not begun, because an
 * earlier one waits or has failed. `not_undoable`: nothing undoes the call; `reason` says why.
 */
export type UndoOutcome = 'undone' | 'waiting' | 'failed' | 'unknown' | 'left' | 'not_undoable';

/** A call of a run that is undone. */
export interface UndoneCall {
  /** The id of the call. */
  readonly id: string;
  /** The id of the event with the call. */
  readonly eventId: string;
  /** The name of the tool. */
  readonly tool: string;
  /** The name of the agent that made the call. */
  readonly agent: string;
  /** What has become of the call. */
  readonly outcome: UndoOutcome;
  /** Why it is not undone, for a person. */
  readonly reason?: string | undefined;
}

/** What has become of the calls of a run that is undone. Calls that had no effect are left out. */
export interface UndoReport {
  /** The run that is undone. */
  readonly invocationId: string;
  /** Newest first: the order in which they are undone. */
  readonly calls: readonly UndoneCall[];
  /** True if all calls are undone. */
  readonly isComplete: boolean;
}

/** A call of the run that had, or may have had, an effect. */
export interface EffectiveCall {
  readonly place: CallPlace;
  readonly call: FunctionCall;
  readonly tool: string;
  readonly agent: AgentNode | undefined;
  /** Undefined if nothing undoes the call. */
  readonly receipt: Receipt | undefined;
  /** Why nothing undoes it. */
  readonly fault?: string | undefined;
  readonly author: string;
}

/** The events of a run and of those that it continued, also if they were rewound: their effects are still there. */
export function chainOf(session: Session, invocationId: string): InvocationChain {
  const events = logOf(session).filter(({ actions }) => actions.rewindBeforeInvocationId === undefined);
  const { appName, userId, id, lastUpdateTime } = session;
  const whole: Session = { appName, userId, id, lastUpdateTime, state: {}, events, nextSeq: events.length };
  const chain = new InvocationChains(whole).of([invocationId]);
  if (!chain) throw new InvocationNotFoundError(invocationId, id);
  return chain;
}

/**
 * The calls of a run that had effects, newest first.
 *
 * @throws {InvocationNotFoundError}
 */
export function effectiveCalls(root: AgentNode, session: Session, invocationId: string): EffectiveCall[] {
  const { events } = chainOf(session, invocationId);
  const copied = copiedEvents(session);
  return settledCalls(events).flatMap((settled) => {
    const { origin, call } = settled;
    const { id = '', name: tool = '' } = call;
    const agent = agentOf(root, origin);
    const place = { event: origin.id, call: id };
    const base = { place, call, tool, agent, author: origin.author };
    const receipt = settled.response && receiptIn(settled.response, id);
    if (!receipt) {
      const fault = faultWithoutReceipt(settled, toolOf(agent, tool));
      return fault === undefined ? [] : [{ ...base, receipt, fault }];
    }
    const fault = faultOf(receipt, agent, origin, copied);
    return [{ ...base, receipt: fault === undefined ? receipt : undefined, fault }];
  });
}

/** What has become of the calls of a run that is undone. @param only the ids of the calls that were asked for */
export function undoReport(
  root: AgentNode,
  session: Session,
  { invocationId, only }: { readonly invocationId: string; readonly only?: readonly string[] | undefined },
): UndoReport {
  const all = effectiveCalls(root, session, invocationId);
  const undos = BegunUndos.of(session);
  const calls = all
    .filter(({ place }) => only?.includes(place.call) !== false)
    .map((call) => undoneCall(call, undos.find(call.place, session)));
  return { invocationId, calls, isComplete: calls.every(({ outcome }) => outcome === 'undone') };
}

function undoneCall({ place, tool, author, fault }: EffectiveCall, last: BegunUndo | undefined): UndoneCall {
  const call = { id: place.call, eventId: place.event, tool, agent: author };
  if (fault !== undefined) return { ...call, outcome: 'not_undoable', reason: fault };
  if (!last || last.outcome === 'withdrawn') return { ...call, outcome: 'left' };
  return { ...call, outcome: last.outcome, reason: last.reason };
}

/** What has become of the calls, in one line for each kind. */
export function undoText({ calls }: UndoReport): string {
  const lines = KINDS.flatMap(([outcome, said]) => {
    const some = calls.filter((call) => call.outcome === outcome);
    return some.length === 0 ? [] : [`${said}: ${some.map(nameOf).join(', ')}.`];
  });
  return lines.length === 0 ? 'There is nothing to undo.' : lines.join(' ');
}

/** What is to be undone, for the models that read the conversation later. */
export function planText({ calls }: UndoReport): string {
  const undoable = calls.filter(({ outcome }) => outcome !== 'undone' && outcome !== 'not_undoable');
  const others = calls.filter(({ outcome }) => outcome === 'not_undoable');
  const asked = `Undo these calls, in this order: ${undoable.map(({ tool, id }) => `${tool} (call ${id})`).join(', ')}.`;
  return others.length === 0 ? asked : `${asked} These cannot be undone: ${others.map(nameOf).join(', ')}.`;
}

const KINDS: readonly (readonly [UndoOutcome, string])[] = [
  ['undone', 'Undone'],
  ['waiting', 'Waiting for a person'],
  ['failed', 'Failed'],
  ['unknown', 'Outcome unknown'],
  ['left', 'Not begun'],
  ['not_undoable', 'Not undoable'],
];

function nameOf({ tool, id, reason }: UndoneCall): string {
  return reason === undefined ? `${tool} (call ${id})` : `${tool} (call ${id}: ${reason})`;
}

/** A call with its final response, if it has one. */
interface SettledCall {
  readonly origin: Event;
  readonly call: FunctionCall;
  readonly response?: Event;
  readonly said?: Readonly<Record<string, unknown>>;
}

/** The calls, the one that ended last first. Those without an end come before all others. */
function settledCalls(events: readonly Event[]): SettledCall[] {
  const open = new Map<string, SettledCall>();
  const settled: SettledCall[] = [];
  for (const event of events) {
    const { author, content } = event;
    for (const { id = '', willContinue, response: said = {} } of functionResponsesOf(content)) {
      const one = open.get(id);
      if (!one || willContinue === true) continue;
      settled.push({ ...one, response: event, said });
      open.delete(id);
    }
    if (author === 'user') continue;
    for (const call of functionCallsOf(content))
      if (!isRequestName(call.name)) open.set(call.id ?? '', { origin: event, call });
  }
  return [...settled, ...open.values()].reverse();
}

function toolOf(agent: AgentNode | undefined, name: string): Tool | undefined {
  return agent instanceof LlmAgentNode ? agent.tools.find(name)?.tool : undefined;
}

/** Why nothing undoes a call that left no receipt; undefined if it had no effect of its own. */
function faultWithoutReceipt(
  { origin, call, response, said }: SettledCall,
  tool: Tool | undefined,
): string | undefined {
  if (undoOf(origin)) return 'it is an undo itself';
  if (response && isRead(response, call.id ?? '')) return undefined;
  // A log of an earlier version does not say which calls read. What an agent does that runs as a tool is in its calls.
  if (tool?.traits.effect === 'read' || tool?.runAgent !== undefined) return undefined;
  if (!said || said['outcome'] === 'unknown') return 'its outcome is unknown, and a person has to look';
  if (typeof said['error'] === 'string') return undefined;
  if (isObject(said['doneBefore'])) return BEFORE;
  return tool?.undo ? 'the log does not have what its tool returned' : 'its tool has no undo';
}

const BEFORE = 'an earlier call had the effect, and this one got its result';

function faultOf(
  { effect }: Receipt,
  agent: AgentNode | undefined,
  origin: Event,
  copied: ReadonlySet<Event>,
): string | undefined {
  if (effect?.isBefore === true) return BEFORE;
  if (copied.has(origin)) return 'it was made in the conversation that this one is a copy of';
  return agent instanceof LlmAgentNode
    ? undefined
    : `its agent "${origin.author}" is not in the tree any more`;
}

/** The events that came from another conversation: what they did is undone there. */
function copiedEvents(session: Session): ReadonlySet<Event> {
  const events = logOf(session);
  const marker = events.findLastIndex(({ customMetadata }) => customMetadata?.[FORKED_FROM] !== undefined);
  return new Set(events.slice(0, marker + 1));
}
