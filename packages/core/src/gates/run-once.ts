import { hash } from 'node:crypto';

import { AdornError, canonicalJson, isJsonValue, isObject, kindOf } from '@adorn/schema';

import { startTimer } from '../runtime/clock.js';
import type {
  EffectAddress,
  EffectClaim,
  EffectEntry,
  EffectLedger,
} from '../stores/effects/effect-ledger.js';
import { scopeKey } from '../tools/policies/policy.js';
import { Deny } from './callbacks/agent-callbacks.js';
import type { Ended } from './ended-call.js';
import { asResponse, readableResult } from './outcome.js';
import { reconciled } from './reconcile.js';
import { withinCheckTime } from './time-limit.js';
import { isIdempotent, type ToolCall } from './tool-call.js';

/** How long a claim is known to run without a renewal, in seconds. */
const LEASE_S = 30;

/** How often a call looks whether another one, which has the effect at the moment, has ended, in milliseconds. */
const LOOK_MS = 200;

/** Default of `timeout`, in milliseconds: how long a call waits for another one that has the effect. */
const DEFAULT_WAIT_MS = 30_000;

/** One effect that a call is to have, as the ledger knows it. */
interface Effect {
  readonly ledger: EffectLedger;
  readonly address: EffectAddress;
  readonly claim: EffectClaim;
}

/**
 * Runs a tool whose effect is to happen once: `once` of the tool names the effect, and the ledger tells which call has it. The
 * claim is stored before the tool runs and its result as soon as it has ended, so a death between them leaves an effect
 * of unknown outcome, which `reconcile` of the tool settles. A later call for the same effect gets the first result, with
 * `doneBefore`.
 *
 * @throws {OnceKeyInvalidError} or {@link EffectUnknownError}, and nothing has run
 */
export async function runOnce(call: ToolCall, run: () => Promise<Ended>): Promise<Ended> {
  const effect = await effectOf(call);
  if (!effect) return run();
  const before = await endedBefore(call, effect);
  if (before) return before;
  const stop = keepClaimed(call, effect);
  try {
    const ended = await run();
    await settle(call, effect, ended);
    return ended;
  } finally {
    stop();
  }
}

/** @throws {OnceKeyInvalidError} */
async function effectOf(call: ToolCall): Promise<Effect | undefined> {
  const { context, entry, invocation } = call;
  const { tool } = entry;
  const { once } = tool.traits;
  if (once === undefined) return undefined;
  const { cancellation, services } = invocation;
  const asked = Promise.resolve(tool.onceKeyOf(call.args, context.withoutCredential('once')));
  const given: unknown = await withinCheckTime(asked, { tool, cancellation, part: 'once' });
  if (given === undefined || given === null) return undefined;
  if (!isKey(given)) throw new OnceKeyInvalidError(tool.name, given);
  const { scope = 'app', ttlMs = Infinity } = typeof once === 'function' ? {} : once;
  const address: EffectAddress = {
    appName: context.appName,
    scope: `${scope}:${scopeKey(scope, context)}`,
    tool: tool.onceName,
    key: hash('sha256', canonicalJson(given), 'base64url'),
  };
  const now = services.clock.now();
  const claim: EffectClaim = {
    id: context.callKey,
    by: context.requester.id,
    at: now,
    until: now + LEASE_S,
    expiresAt: ttlMs === Infinity ? undefined : now + ttlMs / 1000,
  };
  const { appName, key, scope: within, tool: name } = address;
  context.effectKey = hash('sha256', JSON.stringify([appName, within, name, key]), 'base64url');
  return { ledger: services.effects, address, claim };
}

/** True for a text or JSON that tells one effect from another: a key without a value would be the same for all calls. */
function isKey(given: unknown): boolean {
  if (typeof given === 'string') return given !== '';
  if (typeof given === 'number') return Number.isFinite(given);
  if (Array.isArray(given)) return given.length > 0 && given.every(isKey);
  if (typeof given === 'boolean') return true;
  if (!isObject(given) || !isJsonValue(given)) return false;
  const values = Object.values(given);
  return values.length > 0 && values.every(isKey);
}

/** What the effect ended with before; undefined if the call has claimed it, and the tool is to run. */
async function endedBefore(call: ToolCall, effect: Effect): Promise<Ended | undefined> {
  const { ledger, address, claim } = effect;
  const { cancellation, services } = call.invocation;
  const patience = services.clock.now() + (call.entry.tool.traits.timeout ?? DEFAULT_WAIT_MS) / 1000;
  let lapsed: string | undefined;
  for (;;) {
    const entry = await cancellation.wait(ledger.claim(address, claim, lapsed));
    const isOwn = entry.claim.id === claim.id;
    if (entry.done)
      return { kind: 'returned', result: isOwn ? entry.done.result : doneBefore(entry, entry.done.result) };
    if (entry.isNew) {
      call.context.mayHaveTakenEffect = false;
      return undefined;
    }
    const now = services.clock.now();
    if (!isOwn && entry.claim.until > now && now < patience) {
      await cancellation.wait(new Promise<void>((resolve) => startTimer(services.clock, LOOK_MS, resolve)));
      continue;
    }
    const found = await resultOfUnknown(call, entry);
    if (found !== undefined) return await adopted(call, effect, entry, found);
    if (isOwn) return undefined;
    lapsed = entry.claim.id;
  }
}

/**
 * The result of an effect whose outcome is unknown, as the tool finds it. Undefined if it did not happen, or may happen twice.
 *
 * @throws {EffectUnknownError} if the tool cannot tell
 */
async function resultOfUnknown(call: ToolCall, { claim }: EffectEntry): Promise<unknown> {
  const { tool } = call.entry;
  call.context.mayHaveTakenEffect = true;
  if (tool.reconcile !== undefined) return reconciled(call);
  if (await isIdempotent(call)) return undefined;
  throw new EffectUnknownError(tool.name, claim);
}

/** Stores what the tool has found of an earlier call. */
async function adopted(
  call: ToolCall,
  { ledger, address, claim }: Effect,
  entry: EffectEntry,
  found: unknown,
): Promise<Ended> {
  await ledger.claim(address, claim, entry.claim.id);
  const at = call.invocation.services.clock.now();
  await ledger.complete(address, claim.id, { result: await readableResult(call, found), at });
  return { kind: 'returned', result: entry.claim.id === claim.id ? found : doneBefore(entry, found) };
}

/** The first result, marked for the model as one of an earlier call. */
function doneBefore({ claim: { at, by } }: EffectEntry, result: unknown): unknown {
  return { ...asResponse(result), doneBefore: { at: new Date(at * 1000).toISOString(), by } };
}

/** Renews the claim while the tool runs. Returns what ends it. */
function keepClaimed(call: ToolCall, { ledger, address, claim }: Effect): () => void {
  const { clock, logger } = call.invocation.services;
  let stop: () => void;
  const renewLater = (): void => {
    stop = startTimer(clock, (LEASE_S * 1000) / 3, () => void renew());
  };
  const renew = async (): Promise<void> => {
    renewLater();
    try {
      await ledger.renew(address, claim.id, clock.now() + LEASE_S);
    } catch (error) {
      logger.warn('the claim of an effect could not be renewed', { callId: call.id, error });
    }
  };
  void renew();
  return () => {
    stop();
  };
}

/** Stores the result, frees an effect that did not happen, and gives up a claim whose outcome is unknown. */
async function settle(call: ToolCall, { ledger, address, claim }: Effect, ended: Ended): Promise<void> {
  const { context, invocation } = call;
  const { clock, logger } = invocation.services;
  const hasReturned = ended.kind === 'returned' && !Deny.is(ended.result) && context.question === undefined;
  try {
    if (hasReturned) {
      const result = await readableResult(call, ended.result);
      await ledger.complete(address, claim.id, { result, at: clock.now() });
    } else if (ended.kind === 'failed' && context.mayHaveTakenEffect) {
      await ledger.renew(address, claim.id, clock.now());
    } else await ledger.release(address, claim.id);
  } catch (error) {
    logger.error('what an effect ended with could not be stored: a later call finds its outcome unknown', {
      callId: call.id,
      error,
    });
  }
}

/** `once` returned something by which effects cannot be told apart. */
class OnceKeyInvalidError extends AdornError {
  readonly code = 'ONCE_KEY_INVALID';

  constructor(toolName: string, given: unknown) {
    super(
      `The option once of the tool "${toolName}" returned ${given === '' ? 'an empty text' : kindOf(given)}, in which a value is ` +
        'missing or no JSON: the key would be the same for other effects too. Return a text, a number or an object of them, such as ' +
        '{ order: orderId }, or undefined if this call may have its effect again.',
    );
  }
}

/** An earlier call for the same effect has not told how it ended. The message goes to the model. */
class EffectUnknownError extends AdornError {
  readonly code = 'EFFECT_UNKNOWN';

  constructor(toolName: string, { at, by }: EffectClaim) {
    super(
      `outcome unknown: a call of "${toolName}" for the same effect began at ${new Date(at * 1000).toISOString()} (by ${by}), and ` +
        'has not told how it ended. It may have taken effect, so this call has done nothing. Have a person check it.',
    );
  }
}
