import { isSameJson } from '@adorn/schema';

import { shareClass } from '../../metadata/shared-class.js';
import { NotSupportedError } from '../../runtime/not-supported.error.js';

/** An effect in the world, which happens once, whoever asks for it. */
export interface EffectAddress {
  /** The application whose effect it is. */
  readonly appName: string;
  /** In which scope it happens once: a text that differs between users or sessions whose effects are apart. */
  readonly scope: string;
  /** The name of the tool, as a model calls it. */
  readonly tool: string;
  /** A digest of the key that the tool gave: 43 characters of base64url. */
  readonly key: string;
}

/** The call that has an effect. */
export interface EffectClaim {
  /** The id of the call: its own key, which stays the same if it runs again. */
  readonly id: string;
  /** The requester of the run. */
  readonly by: string;
  /** When it began, in seconds since 1970. */
  readonly at: number;
  /** Until when it is known to run, in seconds since 1970. The call renews it; after it, its outcome is unknown. */
  readonly until: number;
  /** When the effect is forgotten, in seconds since 1970. Absent: never. */
  readonly expiresAt?: number | undefined;
}

/** What a ledger says of an effect. */
export interface EffectEntry {
  /** The call that has the effect: the one that asked, or an earlier one. */
  readonly claim: EffectClaim;
  /** True if the call that asked has claimed the effect just now. */
  readonly isNew: boolean;
  /** What the effect ended with. Absent until then. */
  readonly done?: EffectDone | undefined;
}

/** How an effect ended. */
export interface EffectDone {
  /** The result of the tool, as JSON. */
  readonly result: unknown;
  /** In seconds since 1970. */
  readonly at: number;
}

/** An effect that has not ended: its call runs, or has not told how it ended. */
export interface OpenEffect {
  /** Which effect it is. */
  readonly address: EffectAddress;
  /** The call that has it. */
  readonly claim: EffectClaim;
}

/** How an effect of unknown outcome is settled. */
export interface EffectSettlement {
  /** The claim that is settled: one with the same id that began later is another one. */
  readonly claim: Pick<EffectClaim, 'id' | 'at'>;
  /** When it is settled, in seconds since 1970. A claim that is known to run at that time is not settled. */
  readonly at: number;
  /** The result, as JSON, if the effect took place. Absent: it did not, and the next call has it. */
  readonly done?: EffectDone | undefined;
}

/** True if an effect has ended as a settlement says, because it was settled so before. @param entry what the ledger has */
export function isSettledSo(
  entry: Omit<EffectEntry, 'isNew'> | undefined,
  { claim, done }: EffectSettlement,
): boolean {
  if (!done || !entry) return !done && !entry;
  return entry.claim.id === claim.id && entry.claim.at === claim.at && isSameJson(entry.done, done);
}

/** The user whose effects are erased. */
export interface EffectErasure {
  /** The application whose effects they are. */
  readonly appName: string;
  /** Who asked for them. */
  readonly userId: string;
  /** The scopes that are only the user's: their entries are deleted. */
  readonly scopes: readonly string[];
  /** How the other scopes begin that are only the user's. */
  readonly scopePrefix: string;
}

/** How many entries were erased. */
export interface ErasedEffects {
  /** Those that were deleted. */
  readonly deleted: number;
  /** Those whose claim says no more who asked, and whose result is {@link ERASED_RESULT}. */
  readonly anonymized: number;
}

/** Who asked for an effect whose user was erased. */
export const ERASED_USER = '(erased)';
/** The result of an effect whose user was erased. */
export const ERASED_RESULT = Object.freeze({ erased: true });

/**
 * Which effects have happened, by keys of the domain: what `once` of a tool is held against. Its own container identifier:
 * `bind(EffectLedger).to(OwnLedger)`. Every implementation passes `describeEffectLedger` from `@adorn/testing/contracts`.
 */
export abstract class EffectLedger {
  static {
    shareClass(this, 'EffectLedger');
  }

  /**
   * Claims an effect for a call, unless another one has it: two claims at the same time, also of two processes, give it to
   * one of them. An entry that has expired counts as absent for other calls, unless its call is still known to run.
   *
   * @param lapsed the id of a claim that is replaced if it still stands, is not done, and was not renewed since: its call is
   *   not known to run at the time of the new claim, or is the one that asks
   * @returns the entry that stands now
   */
  abstract claim(address: EffectAddress, claim: EffectClaim, lapsed?: string): Promise<EffectEntry>;
  /** Sets until when a claim is known to run. Does nothing if it does not stand any more, or is done. */
  abstract renew(address: EffectAddress, id: string, until: number): Promise<void>;
  /** Stores what the effect ended with, once. Does nothing if the claim does not stand any more. */
  abstract complete(address: EffectAddress, id: string, done: EffectDone): Promise<void>;
  /** Removes a claim whose effect did not happen, unless it is done. */
  abstract release(address: EffectAddress, id: string): Promise<void>;
  /** Removes an effect that is done, because it was undone: the next claim has it. Does nothing if another claim stands. */
  abstract revoke(address: EffectAddress, id: string): Promise<void>;

  /**
   * The effects of an application that have not ended, the oldest first.
   *
   * @throws {NotSupportedError} if the backend cannot
   */
  listOpen(appName: string): Promise<readonly OpenEffect[]> {
    return Promise.reject(new NotSupportedError(this, `list the open effects of ${appName}`));
  }

  /**
   * Ends an effect of unknown outcome by the word of a person: stores its result, or removes its claim. Settling it again in the same
   * way changes nothing.
   *
   * @returns false, and nothing is changed, if the effect has ended otherwise meanwhile, or another claim stands
   * @throws {NotSupportedError} if the backend cannot
   */
  settle({ tool }: EffectAddress, _settlement: EffectSettlement): Promise<boolean> {
    return Promise.reject(new NotSupportedError(this, `settle an effect of ${tool}`));
  }

  /**
   * Erases a user: deletes the entries of the user's scopes, and anonymizes the others that the user asked for, whose effects are
   * still not to happen again. Erasing again does nothing.
   *
   * @throws {NotSupportedError} if the backend cannot
   */
  eraseUser({ userId }: EffectErasure): Promise<ErasedEffects> {
    return Promise.reject(new NotSupportedError(this, `erase the effects of the user ${userId}`));
  }
}
