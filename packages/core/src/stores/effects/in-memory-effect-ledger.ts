import { composedKey, composedParts, copyJson } from '@adorn/schema';

import {
  type EffectAddress,
  type EffectClaim,
  type EffectDone,
  type EffectEntry,
  type EffectErasure,
  EffectLedger,
  type EffectSettlement,
  ERASED_RESULT,
  ERASED_USER,
  type ErasedEffects,
  isSettledSo,
  type OpenEffect,
} from './effect-ledger.js';

/** The effects of one process. */
export class InMemoryEffectLedger extends EffectLedger {
  private readonly entries = new Map<string, Omit<EffectEntry, 'isNew'>>();

  async claim(address: EffectAddress, claim: EffectClaim, lapsed?: string): Promise<EffectEntry> {
    const key = keyOf(address);
    const known = this.entries.get(key);
    if (known && !isFree(known, claim, lapsed)) return { ...copyJson(known), isNew: false };
    this.entries.set(key, { claim });
    return { claim, isNew: true };
  }

  async renew(address: EffectAddress, id: string, until: number): Promise<void> {
    const standing = this.openOf(address, id);
    if (standing) this.entries.set(keyOf(address), { claim: { ...standing.claim, until } });
  }

  async complete(address: EffectAddress, id: string, done: EffectDone): Promise<void> {
    const standing = this.openOf(address, id);
    if (standing) this.entries.set(keyOf(address), { ...standing, done: copyJson(done) });
  }

  async release(address: EffectAddress, id: string): Promise<void> {
    if (this.openOf(address, id)) this.entries.delete(keyOf(address));
  }

  async revoke(address: EffectAddress, id: string): Promise<void> {
    const key = keyOf(address);
    const known = this.entries.get(key);
    if (known?.claim.id === id && known.done !== undefined) this.entries.delete(key);
  }

  override async listOpen(appName: string): Promise<readonly OpenEffect[]> {
    return [...this.entries]
      .filter(([, { done }]) => done === undefined)
      .map(([key, { claim }]) => ({ address: addressIn(key), claim }))
      .filter(({ address }) => address.appName === appName)
      .sort((one, other) => one.claim.at - other.claim.at);
  }

  override async settle(address: EffectAddress, settlement: EffectSettlement): Promise<boolean> {
    const { claim, at, done } = settlement;
    const key = keyOf(address);
    const known = this.entries.get(key);
    const stands = known?.claim.id === claim.id && known.claim.at === claim.at;
    if (!known || !stands || known.done !== undefined || known.claim.until > at)
      return isSettledSo(known, settlement);
    if (done) this.entries.set(key, { ...known, done: copyJson(done) });
    else this.entries.delete(key);
    return true;
  }

  override async eraseUser({ appName, userId, scopes, scopePrefix }: EffectErasure): Promise<ErasedEffects> {
    let deleted = 0;
    let anonymized = 0;
    for (const [key, { claim, done }] of this.entries) {
      const [app, scope = ''] = composedParts(key);
      if (app !== appName) continue;
      if (scopes.includes(scope) || scope.startsWith(scopePrefix)) {
        this.entries.delete(key);
        deleted++;
      } else if (claim.by === userId) {
        const nobody = { ...claim, id: ERASED_USER, by: ERASED_USER };
        this.entries.set(key, { claim: nobody, done: done && { ...done, result: ERASED_RESULT } });
        anonymized++;
      }
    }
    return { deleted, anonymized };
  }

  private openOf(address: EffectAddress, id: string): Omit<EffectEntry, 'isNew'> | undefined {
    const known = this.entries.get(keyOf(address));
    return known?.claim.id === id && known.done === undefined ? known : undefined;
  }
}

function addressIn(entryKey: string): EffectAddress {
  const [appName = '', scope = '', tool = '', key = ''] = composedParts(entryKey);
  return { appName, scope, tool, key };
}

/** True if a claim may take the place of what is known. */
function isFree({ claim, done }: Omit<EffectEntry, 'isNew'>, asking: EffectClaim, lapsed?: string): boolean {
  const now = asking.at;
  const isOwn = claim.id === asking.id;
  const isHeld = done === undefined && claim.until > now;
  const hasExpired = claim.expiresAt !== undefined && claim.expiresAt <= now;
  if (hasExpired && !isOwn && !isHeld) return true;
  return done === undefined && claim.id === lapsed && (isOwn || !isHeld);
}

function keyOf({ appName, scope, tool, key }: EffectAddress): string {
  return composedKey(appName, scope, tool, key);
}
