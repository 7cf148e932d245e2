import type { Check, CheckGroup } from '@adorn/conformance/check';
import { findDifference } from '@adorn/conformance/find-difference';

import { Child } from '../child-process.js';
import type { ChaosStore } from './chaos-store.js';

/** What each process leaves behind. */
const STEPS = [
  { step: 'greet', pending: 0, last: 'Good morning.' },
  { step: 'ask', pending: 1, last: { status: 'pending' } },
  { step: 'approve', pending: 0, last: 'Refunded.' },
  { step: 'recall', pending: 0, last: 'It was refunded.' },
] as const;

/** One conversation through four processes: what one begins the next goes on with, what one asks another approves. */
export async function twoProcesses(store: ChaosStore): Promise<CheckGroup[]> {
  const url = await store.newUrl();
  const checks: Check[] = [];
  for (const { step, pending, last } of STEPS) {
    const child = new Child('desk.child.js', import.meta.url, [url, step]);
    const fault = await child.fault();
    const told = fault === undefined ? (JSON.parse(child.lines.at(-1) ?? '{}') as Told) : undefined;
    const found = { pending: told?.pending, last: told?.said?.at(-1) };
    checks.push({ what: step, fault: fault ?? findDifference(found, { pending, last }) });
  }
  return [{ name: 'one conversation, four processes', checks }];
}

interface Told {
  readonly said?: readonly unknown[];
  readonly pending?: number;
}
