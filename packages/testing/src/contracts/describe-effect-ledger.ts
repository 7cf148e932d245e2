import type { EffectAddress, EffectClaim, EffectLedger } from '@adorn/core/backend';
import { describe, expect, it } from './test-runner.js';

const ORDER: EffectAddress = { appName: 'shop', scope: 'app:shop', tool: 'refund', key: 'k1' };

/** Addresses that differ from `ORDER` in one part each. */
const OTHERS: readonly EffectAddress[] = [
  { ...ORDER, appName: 'bank' },
  { ...ORDER, scope: 'user:shop:ada' },
  { ...ORDER, tool: 'charge' },
  { ...ORDER, key: 'k2' },
];

const RESULTS: readonly unknown[] = [
  { id: 'r-1', cents: 90_000 },
  [1, null, { a: '\u0000' }],
  'done',
  0,
  null,
];

/** A time at which all claims of this suite stand, in seconds. */
const NOW = Date.now() / 1000;

function claimOf(id: string, fields: Partial<EffectClaim> = {}): EffectClaim {
  return { id, by: 'ada', at: NOW, until: NOW + 30, ...fields };
}

/** The contract of ledgers of effects. A new one is complete when this suite passes. */
export function describeEffectLedger(name: string, open: () => Promise<EffectLedger>): void {
  describe(`${name} as an EffectLedger`, () => {
    it('gives an effect to the first call that claims it, and tells later ones whose it is', async () => {
      const ledger = await open();
      const first = claimOf('c1', { by: 'ada "the first" \u0000' });

      expect(await ledger.claim(ORDER, first)).toMatchObject({ claim: first, isNew: true });

      const second = await ledger.claim(ORDER, claimOf('c2'));
      expect(second).toMatchObject({ claim: { id: 'c1', by: first.by, at: first.at }, isNew: false });
      expect(second.done).toBeUndefined();
    });

    it('gives an effect to one of twenty claims at the same time', async () => {
      const ledger = await open();
      const ids = Array.from({ length: 20 }, (_, index) => `c${String(index)}`);

      const entries = await Promise.all(ids.map((id) => ledger.claim(ORDER, claimOf(id))));

      expect(entries.filter(({ isNew }) => isNew)).toHaveLength(1);
      expect(new Set(entries.map(({ claim }) => claim.id)).size).toBe(1);
    });

    it('keeps the effects of other applications, scopes, tools and keys apart', async () => {
      const ledger = await open();
      await ledger.claim(ORDER, claimOf('c1'));

      for (const [index, other] of OTHERS.entries())
        expect((await ledger.claim(other, claimOf(`o${String(index)}`))).isNew).toBe(true);
    });

    it.each(RESULTS)('gives back the result %j, once it is done', async (result) => {
      const ledger = await open();
      await ledger.claim(ORDER, claimOf('c1'));

      await ledger.complete(ORDER, 'c1', { result, at: NOW + 1 });

      const { claim, done, isNew } = await ledger.claim(ORDER, claimOf('c2'));
      expect({ id: claim.id, done, isNew }).toEqual({
        id: 'c1',
        done: { result, at: NOW + 1 },
        isNew: false,
      });
    });

    it('stores a result once, and only of the call that has the effect', async () => {
      const ledger = await open();
      await ledger.claim(ORDER, claimOf('c1'));

      await ledger.complete(ORDER, 'c2', { result: 'of nobody', at: NOW });
      expect((await ledger.claim(ORDER, claimOf('c3'))).done).toBeUndefined();

      await ledger.complete(ORDER, 'c1', { result: 'first', at: NOW });
      await ledger.complete(ORDER, 'c1', { result: 'second', at: NOW });
      expect((await ledger.claim(ORDER, claimOf('c3'))).done).toEqual({ result: 'first', at: NOW });
    });

    it('frees an effect that did not happen, and none that is done or of another call', async () => {
      const ledger = await open();
      await ledger.claim(ORDER, claimOf('c1'));

      await ledger.release(ORDER, 'c2');
      expect((await ledger.claim(ORDER, claimOf('c3'))).isNew).toBe(false);
      await ledger.release(ORDER, 'c1');
      expect((await ledger.claim(ORDER, claimOf('c3'))).isNew).toBe(true);
      await ledger.complete(ORDER, 'c3', { result: 1, at: NOW });
      await ledger.release(ORDER, 'c3');
      expect((await ledger.claim(ORDER, claimOf('c4'))).done).toEqual({ result: 1, at: NOW });
    });

    it('gives an effect that was undone to the next call, and revokes none that is open or of another call', async () => {
      const ledger = await open();
      await ledger.claim(ORDER, claimOf('c1'));

      await ledger.revoke(ORDER, 'c1');
      expect((await ledger.claim(ORDER, claimOf('c2'))).claim.id).toBe('c1');
      await ledger.complete(ORDER, 'c1', { result: 1, at: NOW });
      await ledger.revoke(ORDER, 'c2');
      expect((await ledger.claim(ORDER, claimOf('c2'))).done).toEqual({ result: 1, at: NOW });
      await ledger.revoke(ORDER, 'c1');
      expect((await ledger.claim(ORDER, claimOf('c2'))).isNew).toBe(true);
      await ledger.revoke(ORDER, 'c1');
      expect((await ledger.claim(ORDER, claimOf('c3'))).claim.id).toBe('c2');
    });

    it('tells until when a call is known to run', async () => {
      const ledger = await open();
      await ledger.claim(ORDER, claimOf('c1'));

      await ledger.renew(ORDER, 'c1', NOW + 90);
      await ledger.renew(ORDER, 'c2', NOW + 500);

      expect((await ledger.claim(ORDER, claimOf('c3'))).claim.until).toBe(NOW + 90);
    });

    it('replaces a lapsed claim for one of twenty that ask, and none that is done', async () => {
      const ledger = await open();
      await ledger.claim(ORDER, claimOf('c1', { until: NOW }));
      const ids = Array.from({ length: 20 }, (_, index) => `n${String(index)}`);

      const entries = await Promise.all(ids.map((id) => ledger.claim(ORDER, claimOf(id), 'c1')));

      const [winner] = entries.filter(({ isNew }) => isNew);
      expect(entries.filter(({ isNew }) => isNew)).toHaveLength(1);
      expect(entries.every(({ claim }) => claim.id === winner?.claim.id)).toBe(true);
      await ledger.complete(ORDER, winner?.claim.id ?? '', { result: 1, at: NOW });
      expect((await ledger.claim(ORDER, claimOf('late'), winner?.claim.id)).isNew).toBe(false);
    });

    it('does not replace a claim that was renewed, unless its own call asks', async () => {
      const ledger = await open();
      await ledger.claim(ORDER, claimOf('c1'));

      expect((await ledger.claim(ORDER, claimOf('c2'), 'c1')).isNew).toBe(false);
      expect((await ledger.claim(ORDER, claimOf('c1'), 'c1')).isNew).toBe(true);
    });

    it('keeps an effect that has expired for its own call, and while that call is known to run', async () => {
      const ledger = await open();
      await ledger.claim(ORDER, claimOf('c1', { expiresAt: NOW - 1 }));

      expect((await ledger.claim(ORDER, claimOf('c1'))).isNew).toBe(false);
      expect((await ledger.claim(ORDER, claimOf('c2'))).isNew).toBe(false);
      await ledger.renew(ORDER, 'c1', NOW - 1);
      expect((await ledger.claim(ORDER, claimOf('c1'))).isNew).toBe(false);
      expect((await ledger.claim(ORDER, claimOf('c2'))).isNew).toBe(true);
    });

    it('lists the effects of an application that have not ended, the oldest first', async () => {
      const ledger = await open();
      const [ofBank, ofAda] = OTHERS;
      const older = claimOf('c2', { at: NOW - 10, by: 'ada "\u0000' });
      await ledger.claim(ORDER, claimOf('c1'));
      if (ofBank) await ledger.claim(ofBank, claimOf('c3'));
      if (ofAda) await ledger.claim(ofAda, older);
      await ledger.claim({ ...ORDER, key: 'k9' }, claimOf('c4'));
      await ledger.complete({ ...ORDER, key: 'k9' }, 'c4', { result: 1, at: NOW });

      expect(await ledger.listOpen('shop')).toMatchObject([
        { address: ofAda, claim: older },
        { address: ORDER, claim: claimOf('c1') },
      ]);
    });

    it.each([true, false])(
      'settles an effect of unknown outcome (it happened: %j) once and again in the same way, and in no other',
      async (happened) => {
        const ledger = await open();
        const claim = claimOf('c1', { until: NOW });
        const done = happened ? { result: { receipt: 'R-1' }, at: NOW + 1 } : undefined;
        await ledger.claim(ORDER, claim);
        const other = done ? undefined : { result: 2, at: NOW };

        expect(await ledger.settle(ORDER, { claim, at: NOW, done })).toBe(true);
        expect(await ledger.settle(ORDER, { claim, at: NOW, done })).toBe(true);
        expect(await ledger.settle(ORDER, { claim, at: NOW, done: other })).toBe(false);

        expect(await ledger.listOpen('shop')).toEqual([]);
        const { isNew, done: stored } = await ledger.claim(ORDER, claimOf('c2'));
        expect([isNew, stored]).toEqual([done === undefined, done]);
        expect(await ledger.settle(ORDER, { claim, at: NOW, done: undefined })).toBe(false);
      },
    );

    it('settles no effect whose call is known to run, that another call has, or whose call has begun again', async () => {
      const ledger = await open();
      const claim = claimOf('c1');
      await ledger.claim(ORDER, claim);
      const done = { result: 1, at: NOW };

      expect(await ledger.settle(ORDER, { claim, at: NOW, done })).toBe(false);
      await ledger.renew(ORDER, 'c1', NOW);
      for (const other of [
        { ...claim, id: 'c2' },
        { ...claim, at: NOW - 1 },
      ])
        for (const ending of [done, undefined])
          expect(await ledger.settle(ORDER, { claim: other, at: NOW, done: ending })).toBe(false);
      expect(await ledger.listOpen('shop')).toHaveLength(1);
    });

    it('settles an effect in one of two ways that are said at the same time', async () => {
      const ledger = await open();
      const claim = claimOf('c1', { until: NOW });
      await ledger.claim(ORDER, claim);

      const settled = await Promise.all(
        [1, 2, 3, 4].map((result) => ledger.settle(ORDER, { claim, at: NOW, done: { result, at: NOW } })),
      );

      expect(settled.filter((isSettled) => isSettled)).toHaveLength(1);
    });

    it('erases a user: the scopes of that user, and who asked for other effects, which do not happen again', async () => {
      const ledger = await open();
      const own = { ...ORDER, scope: 'user:["shop","ada"]' };
      const ofSession = { ...ORDER, scope: 'session:["shop","ada","s1"]' };
      const other = { ...ORDER, scope: 'session:["shop","ada2","s1"]' };
      for (const [index, address] of [ORDER, own, ofSession].entries()) {
        await ledger.claim(address, claimOf(`c${String(index)}`));
        await ledger.complete(address, `c${String(index)}`, { result: { for: 'ada' }, at: NOW });
      }
      await ledger.claim(other, claimOf('c9', { by: 'bob' }));
      const erasure = {
        appName: 'shop',
        userId: 'ada',
        scopes: ['user:["shop","ada"]'],
        scopePrefix: 'session:["shop","ada",',
      };

      expect(await ledger.eraseUser(erasure)).toEqual({ deleted: 2, anonymized: 1 });
      expect(await ledger.eraseUser(erasure)).toEqual({ deleted: 0, anonymized: 0 });

      const kept = await ledger.claim(ORDER, claimOf('c2'));
      expect(kept).toMatchObject({ isNew: false, done: { result: { erased: true }, at: NOW } });
      expect(JSON.stringify(kept)).not.toContain('ada');
      expect((await ledger.claim(own, claimOf('c3'))).isNew).toBe(true);
      expect((await ledger.claim(ofSession, claimOf('c4'))).isNew).toBe(true);
      expect((await ledger.claim(other, claimOf('c5'))).claim).toMatchObject({ id: 'c9', by: 'bob' });
    });

    it('keeps an effect of unknown outcome when it erases who asked for it', async () => {
      const ledger = await open();
      await ledger.claim(ORDER, claimOf('c1', { until: NOW - 1 }));
      await ledger.eraseUser({ appName: 'shop', userId: 'ada', scopes: ['-'], scopePrefix: '-' });

      const kept = await ledger.claim(ORDER, claimOf('c2'));

      expect([kept.isNew, kept.done, kept.claim.by]).toEqual([false, undefined, '(erased)']);
    });

    it('forgets an effect that has expired', async () => {
      const ledger = await open();
      await ledger.claim(ORDER, claimOf('c1', { expiresAt: NOW - 1 }));
      await ledger.complete(ORDER, 'c1', { result: 1, at: NOW });

      expect((await ledger.claim(ORDER, claimOf('c2', { at: NOW + 1 }))).isNew).toBe(true);
    });
  });
}
