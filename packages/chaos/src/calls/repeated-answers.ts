import { setTimeout as sleep } from 'node:timers/promises';

import type { Check } from '@adorn/conformance/check';
import type { PendingRequest } from '@adorn/core';

import { Child } from '../child-process.js';
import { pendingOf, type Place, readOutcome } from './call-log.js';
import { type CountingTool, deedsIn, nameOf } from './counting-tools.js';

/** How one approval is sent twice. */
export const REPEATED_ANSWERS = [
  'at once in one process',
  'after a restart',
  'on two processes',
  'after it expired',
] as const;
export type RepeatedAnswer = (typeof REPEATED_ANSWERS)[number];

/** How long an approval lasts that is to come too late, in milliseconds. */
const BRIEF = 1;

/** One approval that is sent twice has one effect; one that comes too late has none, and a new question. */
export async function answerTwice(place: Place, tool: CountingTool, way: RepeatedAnswer): Promise<Check> {
  const what = `${nameOf(tool)}, ${way}`;
  const children: Child[] = [];
  const start = (...step: string[]): Child => {
    const child = new Child('caller.child.js', import.meta.url, [
      place.url,
      place.effects,
      nameOf(tool),
      ...step,
    ]);
    children.push(child);
    return child;
  };
  const answer = async (request: PendingRequest, ...times: number[]): Promise<string[]> => {
    const answering = times.map((count) => start('answer', String(count), JSON.stringify(request)));
    await Promise.all(answering.map((child) => child.untilLines(1)));
    for (const child of answering) child.tell('go');
    await Promise.all(answering.map((child) => child.ended));
    return answering.flatMap(outcomesOf);
  };

  const asking = start('ask', ...(way === 'after it expired' ? [String(BRIEF)] : []));
  await asking.ended;
  const [request] = pendingOf(asking);
  if (!request) return { what, fault: `nothing was asked: ${String(await asking.fault())}` };
  let expected = ['REQUEST_NOT_PENDING', 'ok'];
  let outcomes: string[];
  switch (way) {
    case 'at once in one process':
      outcomes = await answer(request, 2);
      break;
    case 'after a restart':
      outcomes = [...(await answer(request, 1)), ...(await answer(request, 1))];
      break;
    case 'on two processes':
      outcomes = await answer(request, 1, 1);
      break;
    case 'after it expired': {
      while (Date.now() / 1000 <= (request.expiresAt ?? 0)) await sleep(BRIEF);
      outcomes = await answer(request, 2);
      const late = children.at(-1);
      const [again, ...more] = late ? pendingOf(late) : [];
      if (deedsIn(place.effects).length > 0) return { what, fault: 'an approval that expired had an effect' };
      if (!again || more.length > 0 || again.id === request.id)
        return { what, fault: 'there is no new question' };
      outcomes.push(...(await answer(again, 1)));
      expected = ['REQUEST_NOT_PENDING', 'ok', 'ok'];
    }
  }
  for (const child of children) {
    const fault = await child.fault();
    if (fault !== undefined) return { what, fault };
  }
  if (outcomes.sort().join() !== expected.join())
    return { what, fault: `the answers: ${outcomes.join(', ')}` };
  const left = await readOutcome(place, tool, children);
  if (typeof left === 'string') return { what, fault: left };
  const isOnce = left.effects === 1 && left.began === 1 && !left.isUnknown;
  return { what, fault: isOnce ? undefined : JSON.stringify(left) };
}

function outcomesOf({ lines }: Child): string[] {
  return lines.filter((line) => line.startsWith('outcome ')).map((line) => line.slice('outcome '.length));
}
