import type { GoldStep } from './gold-tasks.js';

/** The tools that change nothing are published under these verbs. */
const READS = /^(calculate|find|get|list|think)(_|$)/;

/** The calls of a task by turn of the model: one each or, where reads go together, all reads in a row at once. */
export function turnsOf(steps: readonly GoldStep[], readsTogether: boolean): GoldStep[][] {
  const turns: GoldStep[][] = [];
  for (const step of steps) {
    const last = turns.at(-1);
    if (readsTogether && last?.every(isRead) === true && isRead(step)) last.push(step);
    else turns.push([step]);
  }
  return turns;
}

function isRead({ name }: GoldStep): boolean {
  return READS.test(name);
}
