import fc from 'fast-check';

import { answered, called, said, summary, timedSummary, undone } from './compaction-log.fixture.js';
import type { Event } from '../events/event.js';

/** What may happen next; numbers choose among what happened before. */
type Step =
  | { readonly kind: 'user' | 'model'; readonly time: number }
  | { readonly kind: 'call' | 'pair'; readonly time: number }
  | { readonly kind: 'answer' | 'handle'; readonly which: number }
  | { readonly kind: 'marker'; readonly from: number; readonly length: number }
  | { readonly kind: 'timed'; readonly from: number; readonly length: number }
  | { readonly kind: 'rewind'; readonly which: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('user', 'model'), time: fc.nat(20) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('call', 'pair'), time: fc.nat(20) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom('answer', 'handle'), which: fc.nat(5) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('marker'), from: fc.nat(30), length: fc.nat(12) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('timed'), from: fc.nat(20), length: fc.nat(12) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rewind'), which: fc.nat(30) }) },
);

/** Logs of talk, calls, answers, summaries and rewinds in whatever order. */
export const randomLogs = fc.array(step, { maxLength: 40 }).map(toLog);

/** Plays the steps; every text is another, and each answer goes to a call that was made. */
function toLog(steps: readonly Step[]): Event[] {
  const log: Event[] = [];
  const calls: string[][] = [];
  const handles = new Set<string>();
  /** Who gave no handle is answered once. */
  const settled = new Set<string>();
  let invocation = 0;
  for (const one of steps) {
    const seq = log.length;
    const text = `t${String(seq)}`;
    if (one.kind === 'user') invocation = seq;
    const id = `e-${String(invocation)}`;
    if (one.kind === 'user') log.push(said('user', text, id, one.time));
    else if (one.kind === 'model') log.push(said('clerk', text, id, one.time));
    else if (one.kind === 'call' || one.kind === 'pair') {
      const made = one.kind === 'call' ? [`c${String(seq)}`] : [`c${String(seq)}`, `d${String(seq)}`];
      calls.push(made);
      log.push(called(made, id));
    } else if (one.kind === 'answer' || one.kind === 'handle') {
      const made = calls[calls.length - 1 - (one.which % Math.max(1, calls.length))] ?? [];
      const ids = made.slice(one.which % Math.max(1, made.length)).filter((call) => !settled.has(call));
      if (one.kind === 'handle') for (const call of ids) handles.add(call);
      else for (const call of ids) if (!handles.has(call)) settled.add(call);
      if (ids.length > 0) log.push(answered(ids, text, one.kind === 'handle', id));
    } else if (one.kind === 'marker') log.push(summary(`S${String(seq)}`, one.from, one.from + one.length));
    else if (one.kind === 'timed') log.push(timedSummary(`S${String(seq)}`, one.from, one.from + one.length));
    else if ('which' in one && log.length > 0) {
      log.push(undone(log[one.which % log.length]?.invocationId ?? '', `r-${String(seq)}`));
    }
  }
  return log;
}
