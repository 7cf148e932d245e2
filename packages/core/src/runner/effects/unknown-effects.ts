import { type Arguments, composedParts } from '@adorn/schema';

import { callKeyOf } from '../../events/call-key.js';
import { functionCallsOf, functionResponsesOf } from '../../events/content-parts.js';
import type { Event } from '../../events/event.js';
import type { FunctionCall } from '../../events/genai-types.js';
import { readDecision } from '../../events/pending-request.js';
import { keyOf, logOf, type Session, type SessionKey } from '../../events/session.js';
import type { EffectAddress, OpenEffect } from '../../stores/effects/effect-ledger.js';
import type { SessionService } from '../../stores/sessions/session.service.js';
import type { RunSetting } from '../begin/run-setting.js';

/** An effect of `once` whose call has not told how it ended: no call has it again until somebody says what happened. */
export interface UnknownEffect {
  /** The id of the effect, for `runner.settleEffect`. */
  readonly id: string;
  /** The name of the tool. */
  readonly tool: string;
  /** Who asked for it: the id of the requester. */
  readonly by: string;
  /** When its call began, in seconds since 1970. */
  readonly at: number;
  /** The call. Absent if its conversation does not exist any more. */
  readonly call?: EffectCall | undefined;
}

/** The call that had an effect, or had it not. */
export interface EffectCall {
  /** The user of its conversation. */
  readonly userId: string;
  /** The id of its conversation. */
  readonly sessionId: string;
  /** The id of the event with the call. */
  readonly eventId: string;
  /** The id of the call. */
  readonly id: string;
  /** The arguments: those of the model, or those that a person changed them to. */
  readonly args: Arguments;
}

/** An open effect with the call that has it, as the log has it. */
export interface FoundEffect extends OpenEffect {
  readonly call?: FoundCall | undefined;
}

/** A call in the log of its session. */
export interface FoundCall {
  readonly session: Session;
  readonly event: Event;
  readonly call: FunctionCall;
}

/**
 * The effects of tools whose outcome is unknown, the oldest first. Their calls are looked for in the conversations of who asked for
 * them, and then in all others.
 *
 * @throws {NotSupportedError} if the ledger cannot list them
 */
export async function unknownEffects({ appName, services }: RunSetting): Promise<FoundEffect[]> {
  const now = services.clock.now();
  const open = await services.effects.listOpen(appName);
  const unknown = open.filter(({ address, claim }) => isOfTool(address) && claim.until <= now);
  const calls = await findCalls(services.sessions, unknown);
  return unknown.map((effect) => ({ ...effect, call: calls.get(effect.claim.id) }));
}

/** What the application is told of an effect. */
export function shownEffect({ address, claim, call: found }: FoundEffect): UnknownEffect {
  const { id, by, at } = claim;
  return { id, tool: address.tool, by, at, call: found && shownCall(found) };
}

function shownCall(found: FoundCall): EffectCall {
  const { session, event, call } = found;
  const args = argumentsOf(found);
  return { userId: session.userId, sessionId: session.id, eventId: event.id, id: call.id ?? '', args };
}

/** The arguments with which a call has run: those of the last approval that changed them. */
export function argumentsOf({ session, event, call }: FoundCall): Arguments {
  const log = logOf(session);
  const later = log.slice(log.indexOf(event));
  const requests = later.flatMap(({ pending }) =>
    pending.filter(({ functionCallId }) => functionCallId === call.id),
  );
  const changed = later.flatMap(({ author, content }) =>
    author !== 'user'
      ? []
      : functionResponsesOf(content).flatMap(({ id, response }) => {
          const request = requests.find((one) => one.id === id);
          const decision = request && readDecision(request, response);
          return decision?.confirmation.confirmed === true && decision.args ? [decision.args] : [];
        }),
  );
  return changed.at(-1) ?? call.args ?? {};
}

/** The scopes of `once`. Others are those of schedules, channels and retention, which agree by the ledger, too. */
const SCOPES = ['app', 'user', 'session'];

function isOfTool({ scope }: EffectAddress): boolean {
  return SCOPES.includes(scope.slice(0, scope.indexOf(':')));
}

/** The calls of effects, by the ids of the claims. */
async function findCalls(
  sessions: SessionService,
  effects: readonly OpenEffect[],
): Promise<ReadonlyMap<string, FoundCall>> {
  const found = new Map<string, FoundCall>();
  const missing = new Set(effects.map(({ claim }) => claim.id));
  const searched = new Set<string>();
  for await (const key of likelySessions(sessions, effects)) {
    if (missing.size === 0) break;
    const place = JSON.stringify([key.userId, key.sessionId]);
    if (searched.has(place)) continue;
    searched.add(place);
    const session = await sessions.getSession(key);
    if (!session) continue;
    for (const [id, call] of callsByKey(session)) if (missing.delete(id)) found.set(id, call);
  }
  return found;
}

async function* likelySessions(
  sessions: SessionService,
  effects: readonly OpenEffect[],
): AsyncGenerator<SessionKey> {
  const [appName] = effects.map(({ address }) => address.appName);
  if (appName === undefined) return;
  for (const userId of new Set(effects.map(ownerOf)))
    for (const { id: sessionId } of await sessions.listSessions({ appName, userId }, { state: false }))
      yield { appName, userId, sessionId };
  yield* sessions.allSessions(appName);
}

/** Whose conversation the call was probably made in: that of the scope, or of who asked. */
function ownerOf({ address: { scope }, claim }: OpenEffect): string {
  const [, userId] = composedParts(scope.slice(scope.indexOf(':') + 1));
  return userId ?? claim.by;
}

function* callsByKey(session: Session): Generator<readonly [string, FoundCall]> {
  const key = keyOf(session);
  for (const event of logOf(session)) {
    if (event.author === 'user') continue;
    for (const call of functionCallsOf(event.content))
      yield [callKeyOf(key, { event: event.id, call: call.id ?? '' }), { session, event, call }];
  }
}
