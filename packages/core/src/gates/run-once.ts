import { hash } from 'node:crypto';

import { AdornError, canonicalJson, isJsonValue, isObject, kindOf } from '@adorn/schema';

import { InvocationCancelledError } from '../run/cancellation.js';
import { startTimer } from '../runtime/clock.js';
import type {
  EffectAddress,
  EffectClaim,
  EffectEntry,
  EffectLedger,
} from '../stores/effects/effect-ledger.js';
import { scopeKey } from '../tools/policies/policy.js';
import { onceOf } from '../tools/tool-traits.js';
import { Deny } from './callbacks/agent-callbacks.js';
import type { Ended } from './ended-call.js';
import { asResponse, isDeclared, readableResult } from './outcome.js';
import { reconciled } from './reconcile.js';
import { timeLimitOf } from './time-limit.js';
import { isIdempotent, type ToolCall } from './tool-call.js';
import { decided } from './tool-predicate.js';

/** How long a claim is known to run without a renewal, in seconds. */
const LEASE_S = 30;

/** How often a claim is renewed, in milliseconds. */
const RENEW_MS = 10_000;

/** How often a call looks whether another one, which has the effect at the moment, has ended, in milliseconds. */
const LOOK_MS = 200;

/** One effect that a call is to have, as the ledger knows it. */
interface Effect {
  readonly ledger: EffectLedger;
  readonly address: EffectAddress;
  /** The id of the claim of this call. */
  readonly id: string;
  /** How long it is remembered, in milliseconds. */
  readonly ttlMs: number;
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
  if (!effect) return (await foundOfInterrupted(call)) ?? run();
  notePlace(call, effect, effect.id);
  const before = await endedBefore(call, effect);
  if (before) return before;
  const stop = renewClaim(call, effect);
  const ended = await run();
  const { running } = call;
  if (ended.kind === 'failed' && running) void settleLate(call, effect, running, stop);
  else await settle(call, effect, ended, stop);
  return ended;
}

/**
 * What an interrupted call that has no key ended with, which no ledger knows. Undefined if it may run.
 *
 * @throws {InvocationCancelledError} if its outcome is unknown
 */
async function foundOfInterrupted(call: ToolCall): Promise<Ended | undefined> {
  if (call.answer?.isInterrupted !== true) return undefined;
  const found = await reconciled(call);
  if (found !== undefined) return { kind: 'returned', result: found };
  if (call.entry.tool.reconcile !== undefined || (await isIdempotent(call))) return undefined;
  throw InvocationCancelledError.duringCall();
}

/**
 * The effect that the call names; undefined if it names none.
 *
 * @throws {OnceKeyInvalidError}
 */
async function effectOf(call: ToolCall): Promise<Effect | undefined> {
  const { context, entry, invocation } = call;
  const { tool } = entry;
  const given = await decided(call, 'once', 'once', (args, deciding) => tool.onceKeyOf(args, deciding));
  if (given === undefined) return undefined;
  if (!isJsonValue(given) || !isKey(given)) throw new OnceKeyInvalidError(tool.name, given);
  const { scope = 'app', ttlMs = Infinity } = onceOf(tool.traits) ?? {};
  const address: EffectAddress = {
    appName: context.appName,
    scope: `${scope}:${scopeKey(scope, context)}`,
    tool: tool.name,
    key: hash('sha256', canonicalJson(given), 'base64url'),
  };
  const { appName, key, scope: within, tool: name } = address;
  context.effectKey = hash('sha256', JSON.stringify([appName, within, name, key]), 'base64url');
  return { ledger: invocation.services.effects, address, id: context.callKey, ttlMs };
}

/**
 * True for JSON that tells one effect from another: a key without a value would be the same for all calls, and whole
 * numbers beyond 2 ** 53 are rounded, so that two of them are the same.
 */
function isKey(given: unknown): boolean {
  if (typeof given === 'string') return given !== '';
  if (typeof given === 'number') return Number.isSafeInteger(given) || isFraction(given);
  if (typeof given === 'boolean') return true;
  if (Array.isArray(given)) return given.length > 0 && given.every(isKey);
  if (!isObject(given)) return false;
  const values = Object.values(given);
  return values.length > 0 && values.every(isKey);
}

function isFraction(given: number): boolean {
  return Number.isFinite(given) && !Number.isInteger(given);
}

/** What the effect ended with before; undefined if the call has claimed it, and the tool is to run. */
async function endedBefore(call: ToolCall, effect: Effect): Promise<Ended | undefined> {
  const { cancellation, config, services } = call.invocation;
  const { clock } = services;
  const patience = clock.now() + timeLimitOf(call.entry.tool, config.toolTimeout) / 1000;
  let lapsed: string | undefined;
  for (;;) {
    const entry = await claimed(call, effect, lapsed);
    const isOwn = entry.claim.id === effect.id;
    if (entry.done) {
      const { result } = entry.done;
      if (!isOwn) notePlace(call, effect, entry.claim.id, true);
      return { kind: 'returned', result: isOwn ? result : doneBefore(entry, result) };
    }
    if (entry.isNew) {
      if (lapsed !== effect.id) call.context.mayHaveTakenEffect = false;
      return undefined;
    }
    const now = clock.now();
    const isRunning = !isOwn && entry.claim.until > now;
    if (isRunning && now < patience) {
      await cancellation.wait(new Promise<void>((resolve) => startTimer(clock, LOOK_MS, resolve)));
      continue;
    }
    const found = await resultOfUnknown(call, entry, isRunning);
    if (found !== undefined) return await adopted(call, effect, entry, found);
    lapsed = entry.claim.id;
  }
}

/** Notes the entry of the call in the ledger, for its undo. */
function notePlace(call: ToolCall, { address }: Effect, id: string, isBefore?: boolean): void {
  const { scope, tool, key } = address;
  call.effect = { scope, tool, key, id, isBefore };
}

/** Claims the effect. If the run is cancelled meanwhile, the tool does not run, and the claim is given back. */
async function claimed(
  call: ToolCall,
  { ledger, address, id, ttlMs }: Effect,
  lapsed: string | undefined,
): Promise<EffectEntry> {
  const { context, invocation } = call;
  const { cancellation, services } = invocation;
  const at = services.clock.now();
  const expiresAt = ttlMs === Infinity ? undefined : at + ttlMs / 1000;
  const by = context.requester.id;
  const claiming = ledger.claim(address, { id, by, at, until: at + LEASE_S, expiresAt }, lapsed);
  try {
    return await cancellation.wait(claiming);
  } catch (error) {
    void claiming
      .then(({ isNew }) => (isNew ? ledger.release(address, id) : undefined))
      .catch(() => undefined);
    throw error;
  }
}

/**
 * The result of an effect whose outcome is unknown, as the tool finds it. Undefined if it did not happen, or may happen twice.
 *
 * @param isRunning the call that has the effect is still known to run: what did not happen until now may happen yet
 * @throws {EffectUnknownError} if the tool cannot tell
 */
async function resultOfUnknown(call: ToolCall, { claim }: EffectEntry, isRunning: boolean): Promise<unknown> {
  const { tool } = call.entry;
  call.context.mayHaveTakenEffect = true;
  const found = await reconciled(call);
  if (found !== undefined) return found;
  if (!isRunning && (tool.reconcile !== undefined || (await isIdempotent(call)))) return undefined;
  call.context.mayHaveTakenEffect = true;
  throw new EffectUnknownError(tool.name, claim);
}

/** Stores what the tool has found of an earlier call. One that is still known to run stores its result itself. */
async function adopted(call: ToolCall, effect: Effect, entry: EffectEntry, found: unknown): Promise<Ended> {
  const { ledger, address, id } = effect;
  const { claim } = await claimed(call, effect, entry.claim.id);
  // Whoever finds an effect of unknown outcome answers for it: no other call can undo it.
  notePlace(call, effect, claim.id);
  const at = call.invocation.services.clock.now();
  await ledger.complete(address, id, { result: await readableResult(call, found), at });
  return { kind: 'returned', result: entry.claim.id === id ? found : doneBefore(entry, found) };
}

/** The first result, marked for the model as one of an earlier call. */
function doneBefore({ claim: { at, by } }: EffectEntry, result: unknown): unknown {
  return { ...asResponse(result), doneBefore: { at: new Date(at * 1000).toISOString(), by } };
}

/** Renews the claim while the tool runs. Returns what ends it, and waits for a renewal that is under way. */
function renewClaim(call: ToolCall, { ledger, address, id }: Effect): () => Promise<void> {
  const { clock, logger } = call.invocation.services;
  let renewing: Promise<void> = Promise.resolve();
  const renew = async (): Promise<void> => {
    try {
      await ledger.renew(address, id, clock.now() + LEASE_S);
    } catch (error) {
      logger.warn('the claim of an effect could not be renewed', { callId: call.id, error });
      // A tool that was left alone may outlive the stores of its application.
      if (call.context.isAborted) clearInterval(timer);
    }
  };
  // Does not hold the process: the run does, and a tool that was left alone does not.
  const timer = setInterval(() => {
    renewing = renew();
  }, RENEW_MS).unref();
  return () => {
    clearInterval(timer);
    return renewing;
  };
}

/** Stores what a tool ended with after its call was over: until then, the effect is known to be under way. */
async function settleLate(
  call: ToolCall,
  effect: Effect,
  running: Promise<unknown>,
  stop: () => Promise<void>,
): Promise<void> {
  const ended = await running.then<Ended, Ended>(
    (result) => (AdornError.is(result) ? { kind: 'failed', error: result } : { kind: 'returned', result }),
    (error: unknown) => ({ kind: 'failed', error }),
  );
  call.context.mayHaveTakenEffect = !(ended.kind === 'failed' && isDeclared(ended.error));
  await settle(call, effect, ended, stop);
}

/** Stores the result, frees an effect that did not happen, and gives up a claim whose outcome is unknown. */
async function settle(
  call: ToolCall,
  { ledger, address, id }: Effect,
  ended: Ended,
  stop: () => Promise<void>,
): Promise<void> {
  const { clock, logger } = call.invocation.services;
  try {
    await stop();
    switch (knownOf(call, ended)) {
      case 'free':
        await ledger.release(address, id);
        break;
      case 'unknown':
        await ledger.renew(address, id, clock.now());
        break;
      case 'done': {
        const { result } = ended as Extract<Ended, { kind: 'returned' }>;
        await ledger.complete(address, id, { result: await readableResult(call, result), at: clock.now() });
      }
    }
  } catch (error) {
    logger.error('what an effect ended with could not be stored: a later call finds its outcome unknown', {
      callId: call.id,
      error,
    });
    await ledger.renew(address, id, clock.now()).catch(() => undefined);
  }
}

/** What is known of an effect whose tool has ended. A handle is no result of the effect, which comes later. */
function knownOf({ context }: ToolCall, ended: Ended): 'done' | 'free' | 'unknown' {
  if (context.question !== undefined) return 'free';
  if (ended.kind === 'returned') {
    if (Deny.is(ended.result)) return 'free';
    return context.longRunning ? 'unknown' : 'done';
  }
  return context.mayHaveTakenEffect ? 'unknown' : 'free';
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
