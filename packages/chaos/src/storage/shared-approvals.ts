import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Check, CheckGroup } from '@adorn/conformance/check';

import { Child } from '../child-process.js';
import type { ChaosStore } from './chaos-store.js';

const REQUESTS = 10;
const PROCESSES = 3;

/** Three processes approve the same requests at the same time: each payment is made once, and none still waits. */
export async function sharedApprovals(store: ChaosStore): Promise<CheckGroup[]> {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-effects-'));
  try {
    return [
      { name: `${String(REQUESTS)} requests`, checks: await approve(store, join(folder, 'effects.txt')) },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function approve(store: ChaosStore, effects: string): Promise<Check[]> {
  const url = await store.newUrl();
  const start = (...step: string[]): Child =>
    new Child('approver.child.js', import.meta.url, [url, effects, ...step]);
  const asked: Check = { what: 'the asking process', fault: await start('ask', String(REQUESTS)).fault() };
  const approvers = Array.from({ length: PROCESSES }, () => start('approve'));
  await Promise.all(approvers.map((child) => child.untilLines(1)));
  for (const child of approvers) child.tell('go');
  const ended = approvers.map(async (child, index): Promise<Check> => {
    return { what: `process ${String(index)}`, fault: await child.fault() };
  });
  const checks: Check[] = [asked, ...(await Promise.all(ended))];
  const left = start('pending');
  checks.push({ what: 'the counting process', fault: await left.fault() });
  const pending = Number(left.lines.at(-1));
  const made = existsSync(effects) ? readFileSync(effects, 'utf8').trim().split('\n') : [];
  const isOnce = made.length === REQUESTS && new Set(made).size === REQUESTS;
  return [
    ...checks,
    { what: 'the requests', fault: pending === 0 ? undefined : `${String(pending)} still wait` },
    { what: 'the payments', fault: isOnce ? undefined : `were ${made.join(' ')}` },
  ];
}
