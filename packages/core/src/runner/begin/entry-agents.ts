import { callerOf } from '../../events/caller.js';
import { runPathOf } from '../../events/event-place.js';
import type { Event } from '../../events/event.js';
import type { Session } from '../../events/session.js';
import { agentAt, type AgentNode, findAgent, topmostInvoker } from '../../run/agent-node.js';
import type { Answer } from '../../log/pending-call-index.js';
import type { InvocationContext } from '../../run/invocation-context.js';
import type { Invocation } from '../../run/invocation.js';
import { Replay } from '../../run/replay.js';
import { type InvocationChain, type InvocationChains, isUserMessage } from '../../log/invocation-chains.js';
import { PendingIndex } from '../../log/pending-index.js';
import { Projection, SessionSlot } from '../../log/projection.js';
import type { Steering } from '../../log/steering.js';
import { composedKey } from '@adorn/schema';
import { findSuccessor } from '../../turn/resolve-transfers.js';

/**
 * The agents with which an invocation begins. A message goes to the agent that has the conversation. An answer goes to the
 * topmost agent above the waiting one that resumes its run, or else to the waiting agent. If several wait, they run one
 * after another.
 *
 * @param continued the chains of the session, if the invocation continues others
 * @param isAsked true if a message has to be answered, also after interrupted calls that no model made
 */
export function entryAgents(
  invocation: Invocation,
  continued: InvocationChains | undefined,
  isAsked: boolean,
): Iterable<InvocationContext> {
  if (invocation.answers.length > 0) return agentsAnswered(invocation, continued, isAsked);
  if (continued?.latest && isCalled(continued.latest)) return [];
  const last = lastStep(continued);
  return [last ? enterAt(invocation, continued?.latest, last) : enterHolder(invocation)];
}

/** The agents that resume with answers, found one after another: the first may take the answers of the next. */
function* agentsAnswered(
  invocation: Invocation,
  continued: InvocationChains | undefined,
  isAsked: boolean,
): Generator<InvocationContext, void, undefined> {
  const entered = new Set<string>();
  let isOfModel = false;
  for (;;) {
    const answer = invocation.answers.find(({ open }) => open.event.isolationScope === undefined);
    if (invocation.cancellation.isCancelled) return;
    if (!answer) break;
    const { event } = answer.open;
    isOfModel ||= callerOf(event) === undefined;
    const context = enterAt(invocation, continued?.of(invocationsAnswered(invocation, event)), event);
    const key = composedKey(event.invocationId, context.path);
    if (entered.has(key)) break;
    entered.add(key);
    yield context;
  }
  if (isAsked && !isOfModel) yield enterHolder(invocation);
}

/**
 * The invocations whose answers an agent gets together: those of all its calls if no agent above waits for it; a waiting
 * agent above resumes only one of its runs at a time.
 */
function invocationsAnswered({ root, answers }: Invocation, event: Event): string[] {
  const path = runPathOf(event);
  if (path === undefined || topmostInvoker(root.agent, path) !== undefined) return [event.invocationId];
  const ofAgent = answers.filter(({ open }) => runPathOf(open.event) === path);
  return ofAgent.map(({ open }) => open.event.invocationId);
}

function enterHolder(invocation: Invocation): InvocationContext {
  const { root, config, session } = invocation;
  const isRoot = config.resumeAt === 'root' || root.agent.subAgents.length === 0;
  const holder = isRoot ? root.agent : holderOf(root.agent, session);
  return holder === root.agent ? root : invocation.enter(holder, holder.path);
}

/**
 * The calls that run, as tools, the agents that resume: the agents whose requests were answered, and the agent in which the
 * run was interrupted. These calls run again, and the agents resume in them.
 */
export function callersOf(
  session: Session,
  answers: readonly Answer[],
  interrupted: InvocationChains | undefined,
): Answer[] {
  const index = PendingIndex.of(session);
  const known = new Set(answers.map(({ open }) => open.call.id));
  const callers: Answer[] = [];
  for (const event of [...answers.map(({ open }) => open.event), lastStep(interrupted)]) {
    for (const caller of index.callersOf(event?.isolationScope)) {
      const { id = '' } = caller.call;
      if (known.has(id)) continue;
      known.add(id);
      callers.push({ ...index.recordOf(id), open: caller, kind: 'again' });
    }
  }
  return callers;
}

/** The context of the agent that made an event, with the recorded chain of the event. */
function enterAt(
  invocation: Invocation,
  chain: InvocationChain | undefined,
  event: Event,
): InvocationContext {
  const root = invocation.root.agent;
  if (chain) invocation.replay = new Replay(chain, root);
  const path = runPathOf(event);
  if (path !== undefined) {
    const invoker = callerOf(event) ? undefined : topmostInvoker(root, path);
    const entry = invoker ?? path;
    const agent = agentAt(root, entry);
    if (agent) return invocation.enter(agent, entry);
  }
  const agent = findAgent(root, event.author) ?? root;
  return invocation.enter(agent, agent.path);
}

/** The last event of an agent in the chains. */
function lastStep(chains: InvocationChains | undefined): Event | undefined {
  return chains?.latest?.events.findLast(hasPath);
}

/** True if a caller made a call in place of the last message of a chain: no model is asked. */
function isCalled({ events }: InvocationChain): boolean {
  const last = events.findLast((event) => isUserMessage(event) || callerOf(event) !== undefined);
  return last !== undefined && callerOf(last) !== undefined;
}

function hasPath(event: Event): boolean {
  return runPathOf(event) !== undefined;
}

/**
 * The agent that has the conversation: the target of the last transfer, unless it, or an agent above it, cannot transfer
 * back. A composite never transfers back.
 */
function holderOf(root: AgentNode, session: Session): AgentNode {
  let holder: AgentNode | undefined;
  RecordedTransfers.of(session).findLast((handOver) => (holder = holderAfter(root, handOver)) !== undefined);
  return holder ?? root;
}

/** The agent that a transfer or an answer gave the conversation to; undefined if it does not keep it. */
function holderAfter(root: AgentNode, { from, to, escalates }: RecordedTransfer): AgentNode | undefined {
  const giver = from === undefined ? undefined : agentAt(root, from);
  const holder = giver ? targetOf(giver, { transferToAgent: to, escalate: escalates }) : findAgent(root, to);
  return holder && canHandBack(holder) ? holder : undefined;
}

function targetOf(giver: AgentNode, steering: Steering): AgentNode | undefined {
  const target = findSuccessor(giver, steering);
  return target?.kind === 'found' ? target.agent : undefined;
}

function canHandBack(agent: AgentNode): boolean {
  for (let node: AgentNode | undefined = agent; node; node = node.parentAgent) {
    if (!node.isLlmAgent || node.transfer.disabled) return false;
    if (node.parentAgent && !node.transfer.toParent) return false;
  }
  return true;
}

/** A transfer of the conversation. */
interface RecordedTransfer {
  /** The path of the agent that transferred; undefined in a log without paths. */
  readonly from: string | undefined;
  /** The name of the agent that took over, or of the event's author in a log without paths. */
  readonly to: string;
  /** True if it gave up: the agent above took over. */
  readonly escalates?: boolean | undefined;
}

const indexes = new SessionSlot(() => new RecordedTransfers());

/** The transfers of a session, which determine the agent of the next message. */
class RecordedTransfers extends Projection {
  private readonly list: RecordedTransfer[] = [];

  /** Oldest first. */
  static of(session: Session): readonly RecordedTransfer[] {
    const index = indexes.of(session);
    index.catchUp(session);
    return index.list;
  }

  protected override reset(): void {
    this.list.length = 0;
  }

  protected override apply(event: Event): void {
    const { author, actions } = event;
    if (author === 'user' || event.isolationScope !== undefined) return;
    const from = runPathOf(event);
    if (from === undefined) this.add({ from, to: author });
    const { transferToAgent: to, escalate: escalates } = actions;
    if (to !== undefined) this.add({ from, to, escalates });
  }

  private add(handOver: RecordedTransfer): void {
    const last = this.list.at(-1);
    if (last?.from !== handOver.from || last?.to !== handOver.to) this.list.push(handOver);
  }
}
