import { Event, type Session } from '@adorn/core';
import {
  compactionEvent,
  type CompactionRules,
  effectiveEntries,
  sinceLastSummary,
} from '@adorn/core/backend';
import fc from 'fast-check';

import { compactedView, isCompaction } from '../../core/src/log/compaction-event.js';
import { answered, called, said, summary, undone } from '../../core/src/log/compaction-log.fixture.js';
import { type LoggedSession, push, sessionOf } from '../../core/src/log/session-log.fixture.js';
import { PendingIndex } from '../../core/src/log/pending-index.js';
import { randomLogs } from '../../core/src/log/random-logs.fixture.js';
import { type CompactionPlan, compactionReason, planCompaction } from './plan-compaction.js';

const rules: fc.Arbitrary<CompactionRules> = fc.record({
  interval: fc.option(fc.record({ runs: fc.integer({ min: 1, max: 3 }), overlap: fc.nat(4) }), {
    nil: undefined,
  }),
  threshold: fc.option(fc.record({ tokens: fc.constant(1), retention: fc.nat(4) }), { nil: undefined }),
});

describe('for any conversation, what is planned to be summarised', () => {
  it('is all that the summary will hide, so that nothing is lost, and no more than hangs on it', () => {
    check((session, plan, told) => {
      const before = shownIn(session);
      push(session, compactionEvent(plan.covered, plan.seqs, SUMMARY, 0));
      const after = shownIn(session);

      const hidden = before.filter((event) => !after.includes(event) && says(event));
      expect(plan.events.filter((event) => hidden.includes(event))).toEqual(hidden);
      for (const extra of plan.events.filter((event) => !hidden.includes(event))) {
        expect(before).not.toContain(extra);
        expect(told).toContain(extra);
      }
    });
  });

  it('shows no event that was hidden before, and one new summary', () => {
    check((session, plan) => {
      const before = shownIn(session);
      push(session, compactionEvent(plan.covered, plan.seqs, SUMMARY, 0));

      const shown = shownIn(session).filter((event) => !before.includes(event));
      expect(shown.filter(isCompaction)).toEqual(shown);
      expect(shown).toContain(session.events.at(-1));
    });
  });

  it('holds no call that waits, and nothing that was undone', () => {
    check((session, plan, told) => {
      const open = PendingIndex.of(session);
      for (const event of plan.events) {
        expect(told).toContain(event);
        expect(open.isWaiting(event)).toBe(false);
      }
    });
  });

  it('is less each time, until there is nothing left', () => {
    fc.assert(
      fc.property(randomLogs, rules, (log, rule) => {
        const session = sessionOf(...log.map(withTokens));
        for (let round = 0; round < 10; round++) {
          const plan = planCompaction(session, rule);
          if (plan === undefined) return;
          push(session, compactionEvent(plan.covered, plan.seqs, SUMMARY, 0));
          expect(round).toBeLessThan(9);
        }
      }),
    );
  });
});

describe('what is planned', () => {
  const every: CompactionRules = { interval: { runs: 1, overlap: 0 }, threshold: undefined };

  it.each<[string, Event[]]>([
    ['has no answer yet', [said('user', 'b', 'e-2')]],
    [
      'waits for a result',
      [said('user', 'b', 'e-2'), called(['c1'], 'e-2'), answered(['c1'], 'x', true, 'e-2')],
    ],
    [
      'is between a call and the next words',
      [said('user', 'b', 'e-2'), called(['c1'], 'e-2'), answered(['c1'], 'x', false, 'e-2')],
    ],
  ])('ends before the last run where that %s', (_how, unsettled) => {
    const session = sessionOf(said('user', 'a'), said('clerk', 'A'), ...unsettled);

    expect(planCompaction(session, every)?.seqs).toEqual({ start: 0, end: 1 });
  });

  it('ends with a run that ended by a fault', () => {
    const fault = new Event({ author: 'clerk', errorCode: 'LLM_CALL_LIMIT', invocationId: 'e-1' });
    const session = sessionOf(said('user', 'a'), called(['c1']), answered(['c1'], 'x'), fault);

    expect(planCompaction(session, every)?.seqs).toEqual({ start: 0, end: 2 });
  });

  it('is told in the order of the log, what is told again too', () => {
    const talk = [said('user', 'a'), called(['c1']), answered(['c1'], 'x', true), said('clerk', 'b')];
    const session = sessionOf(...talk, summary('S', 0, 3));
    push(session, said('user', 'c', 'e-2'), answered(['c1'], 'y', false, 'e-2'), said('clerk', 'd', 'e-2'));

    const plan = planCompaction(session, { interval: { runs: 1, overlap: 1 }, threshold: undefined });

    expect(plan?.events).toEqual([1, 2, 3, 5, 6, 7].map((seq) => session.events[seq]));
  });

  it('says the times of what it covers, whatever their order', () => {
    const session = sessionOf(said('user', 'a', 'e-1', 30), said('clerk', 'b', 'e-1', 10));
    const plan = planCompaction(session, every)!;

    expect(compactionEvent(plan.covered, plan.seqs, SUMMARY, 0).actions.compaction).toMatchObject({
      startTimestamp: 10,
      endTimestamp: 30,
    });
  });
});

describe('what has gathered since the last summary', () => {
  it('is what still stands after a rewind', () => {
    const runs = ['e-1', 'e-2', 'e-3'].map((id) => said('user', id, id));
    const session = sessionOf(...runs);
    const rule = (count: number) => ({ interval: { runs: count, overlap: 0 }, threshold: undefined });
    expect(compactionReason(session, rule(3))).toBe('interval');

    push(session, undone('e-2', 'r-1'));

    expect(compactionReason(session, rule(2))).toBeUndefined();
    expect(compactionReason(session, rule(1))).toBe('interval');
  });

  it('is the same whether it is kept up event by event or made at once', () => {
    fc.assert(
      fc.property(randomLogs, (log) => {
        const growing = sessionOf();
        for (const event of log.map(withTokens)) {
          push(growing, event);
          sinceLastSummary(growing);
        }
        const fresh = sessionOf(...growing.events);

        expect(sinceLastSummary(growing)).toEqual(sinceLastSummary(fresh));
      }),
    );
  });
});

const SUMMARY = { role: 'user', parts: [{ text: 'SUMMARY' }] };

/** @param promise is given what still stands, too */
function check(
  promise: (session: LoggedSession, plan: CompactionPlan, told: readonly Event[]) => void,
): void {
  fc.assert(
    fc.property(randomLogs, rules, (log, rule) => {
      const session = sessionOf(...log.map(withTokens));
      const plan = planCompaction(session, rule);
      if (plan === undefined) return;
      const told = effectiveEntries(session).map(({ event }) => event);
      promise(session, plan, told);
    }),
    { numRuns: 1000 },
  );
}

function withTokens(event: Event): Event {
  return Object.assign(event, { usageMetadata: { promptTokenCount: 5 } });
}

function shownIn(session: Session): Event[] {
  return compactedView(effectiveEntries(session)).shown.map(({ event }) => event);
}

function says(event: Event): boolean {
  return event.content !== undefined || isCompaction(event);
}
