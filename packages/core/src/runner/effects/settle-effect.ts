import {
  ANY,
  BOOLEAN,
  checkOptions,
  isJsonValue,
  isSameJson,
  kindOf,
  OptionInvalidError,
  present,
  required,
  TEXT,
} from '@adorn/schema';

import { LlmAgentNode } from '../../agents/agent-nodes.js';
import { answeringOf, permissionOf, WHY_NOT } from '../../approvals/answer-authority.js';
import { type PrincipalInput, toPrincipal } from '../../approvals/principal.js';
import { Event } from '../../events/event.js';
import { runPathOf } from '../../events/event-place.js';
import { keyOf, logOf, type Session } from '../../events/session.js';
import { remarkMetadata } from '../../events/remark.js';
import { type Settlement, settlementIn } from '../../events/settlement.js';
import { toolRules } from '../../gates/tool-approvers.js';
import type { ToolCall } from '../../gates/tool-call.js';
import { requesterOfRun } from '../../log/requester-of-run.js';
import { agentAt, agentOf } from '../../run/agent-node.js';
import { Invocation } from '../../run/invocation.js';
import { newInvocationId } from '../../runtime/ids.js';
import type { OpenEffect } from '../../stores/effects/effect-ledger.js';
import type { SessionService } from '../../stores/sessions/session.service.js';
import { isToolCall, resolveCall } from '../../turn/call-batch.js';
import { listToolsets } from '../../turn/list-toolsets.js';
import type { RunSetting } from '../begin/run-setting.js';
import { EffectNotAllowedError, EffectNotOpenError } from '../errors.js';
import { argumentsOf, type FoundCall, type UnknownEffect, unknownEffects } from './unknown-effects.js';

/** What somebody who has looked says of an effect. */
export type SettleOptions = {
  /** Who says so: a principal, or the id of a person. It has to be one who may approve the call. */
  readonly by: PrincipalInput;
  /** How that is known, in words. Default: none. */
  readonly reason?: string | undefined;
} & (
  | {
      /** The effect took place. */
      readonly happened: true;
      /** What the tool would have returned, as JSON: later calls for the effect get it. */
      readonly result: unknown;
    }
  | {
      /** The effect did not take place: the next call for it runs. */
      readonly happened: false;
    }
);

/**
 * Ends an effect of unknown outcome by the word of a person. The word is stored in the log of the call first: the first one
 * counts, of whatever process, and whoever comes second makes it hold, too, if the first one's process died before it did.
 *
 * @throws {OptionInvalidError | PrincipalInvalidError | EffectNotOpenError | EffectNotAllowedError}
 */
export async function settleEffect(
  setting: RunSetting,
  { id }: Pick<UnknownEffect, 'id'>,
  options: SettleOptions,
): Promise<Settlement> {
  checkSettleOptions(id, options);
  const person = toPrincipal(options.by, 'by');
  const { sessions, effects, clock } = setting.services;
  const effect = (await unknownEffects(setting)).find(({ claim }) => claim.id === id);
  if (!effect)
    throw new EffectNotOpenError(
      id,
      'No effect of unknown outcome has this id: it was settled, or its call runs.',
    );
  const { call: found } = effect;
  if (!found)
    throw new EffectNotOpenError(
      id,
      'The conversation of its call does not exist any more: nothing says who may settle it.',
    );
  await requireMaySettle(setting, effect.address.tool, found, options.by);
  const said: Settlement = present({
    ...{ effect: id, claimedAt: effect.claim.at, tool: effect.address.tool },
    ...{ callId: found.call.id ?? '', eventId: found.event.id },
    // No rule reads the attributes any more, and others who read the session would see them.
    by: { ...person, attributes: {} },
    ...{ at: clock.now(), happened: options.happened, reason: options.reason },
    result: options.happened ? options.result : undefined,
  });
  const first = settlementOf(found.session, effect) ?? (await stored(sessions, found.session, effect, said));
  const done = first.happened ? { result: first.result, at: first.at } : undefined;
  if (!(await effects.settle(effect.address, { claim: effect.claim, at: clock.now(), done })))
    throw new EffectNotOpenError(id, 'It has ended meanwhile, or a call for it has begun again.');
  if (!isSameWord(first, said))
    throw new EffectNotOpenError(id, `"${first.by.id}" was first to say what happened, and that holds.`);
  return first;
}

/** @throws {OptionInvalidError} */
function checkSettleOptions(id: unknown, options: SettleOptions): void {
  const owner = 'runner.settleEffect';
  checkOptions(owner, options, { by: required(ANY), happened: required(BOOLEAN), result: ANY, reason: TEXT });
  if (typeof id !== 'string')
    throw new OptionInvalidError(
      owner,
      `the id of the effect is ${kindOf(id)}`,
      'Pass an effect of runner.unknownEffects.',
    );
  const { happened, result } = options as { readonly happened: boolean; readonly result?: unknown };
  if (happened && !isJsonValue(result))
    throw new OptionInvalidError(
      owner,
      `result is ${kindOf(result)}`,
      'Pass what the tool would have returned, as JSON; null for nothing.',
    );
  if (!happened && result !== undefined)
    throw new OptionInvalidError(
      owner,
      'there is a result of what did not happen',
      'Leave result out, or pass happened: true.',
    );
}

/**
 * Checks that somebody may say what happened: one of those who may approve the call, by `approvers` of the tool for its arguments.
 *
 * @throws {EffectNotAllowedError | EffectNotOpenError}
 */
async function requireMaySettle(
  { root, services, config }: RunSetting,
  tool: string,
  found: FoundCall,
  by: PrincipalInput,
): Promise<void> {
  const { session, event } = found;
  const requester = requesterOfRun(session, event.invocationId);
  const invocation = new Invocation({
    invocationId: newInvocationId(),
    ...{ root, session, config, services, requester },
  });
  try {
    const rules = await toolRules(await callAgain(invocation, tool, found));
    const { userId } = session;
    const answering = { ...answeringOf(by, userId), at: services.clock.now() };
    const permission = permissionOf(answering, { rules, requester, userId });
    if (permission !== 'allowed')
      throw new EffectNotAllowedError(tool, answering.principal.id, WHY_NOT[permission]);
  } finally {
    invocation.end();
  }
}

/** @throws {EffectNotOpenError} if there is no such tool any more: nothing says who may settle its effects */
async function callAgain(invocation: Invocation, tool: string, found: FoundCall): Promise<ToolCall> {
  const { event, call } = found;
  const root = invocation.root.agent;
  const path = runPathOf(event);
  const agent = path === undefined ? agentOf(root, event) : agentAt(root, path);
  if (agent instanceof LlmAgentNode) {
    const context = invocation.enter(agent, path ?? agent.path);
    const tools = agent.toolsets.length > 0 ? (await listToolsets(agent, context)).tools : agent.tools;
    const answer = { kind: 'again', open: { call, event }, args: argumentsOf(found) } as const;
    const resolved = resolveCall(agent, context, tools, event.id, call, answer);
    if (isToolCall(resolved)) return resolved;
  }
  throw new EffectNotOpenError(
    call.id ?? '',
    `Its agent "${event.author}" has no tool "${tool}" now: nothing says who may settle it.`,
  );
}

/** What was said of an effect first; undefined if nothing was. An earlier run of the same call is another effect. */
function settlementOf(session: Session, { claim }: OpenEffect): Settlement | undefined {
  for (const event of logOf(session)) {
    const settlement = settlementIn(event);
    if (settlement?.effect === claim.id && settlement.claimedAt === claim.at) return settlement;
  }
  return undefined;
}

/** Stores what somebody says, and returns what was stored first. */
async function stored(
  sessions: SessionService,
  session: Session,
  effect: OpenEffect,
  said: Settlement,
): Promise<Settlement> {
  const customMetadata = remarkMetadata('settlement', said);
  const stamp = { invocationId: newInvocationId(), timestamp: said.at };
  await sessions.appendEvent(session, new Event({ author: 'user', customMetadata }, stamp));
  const after = await sessions.getSession(keyOf(session));
  return (after && settlementOf(after, effect)) ?? said;
}

function isSameWord(one: Settlement, other: Settlement): boolean {
  return one.by.id === other.by.id && one.happened === other.happened && isSameJson(one.result, other.result);
}
