import { type Check, type CheckGroup, failuresOf, type Section } from './check.js';

/** How many faults of one group are told in full. */
const TOLD = 20;

/** One line of the table, and below it what fell short. */
export function writeSection(section: Section, nameWidth: number): string {
  const counts = section.groups.map(writeCount).join(' · ');
  const line = `  ${section.name.padEnd(nameWidth)}  ${counts}  (${writeSeconds(section.ms)})`;
  const leftOut = (section.leftOut ?? []).map((each) => `    – noted: ${each}`);
  const table = (section.table ?? []).map((each) => `      ${each}`);
  return [line, ...table, ...leftOut, ...section.groups.flatMap(writeFailures)].join('\n');
}

/** The sum of all lines. */
export function writeTotals(sections: readonly Section[]): string {
  const checks = sections.flatMap(({ groups }) => groups.flatMap((group) => group.checks));
  const failed = failuresOf(checks).length;
  const ms = sections.reduce((sum, section) => sum + section.ms, 0);
  const verdict = failed === 0 ? 'all as they should be' : `${String(failed)} fell short`;
  return `${String(checks.length - failed)}/${String(checks.length)} checks, ${verdict}, in ${writeSeconds(ms)}`;
}

/** Whether everything is as it should be. Nothing looked at is nothing passed. */
export function isPassed(sections: readonly Section[]): boolean {
  const groups = sections.flatMap((section) => section.groups);
  return (
    groups.length > 0 && groups.every(({ checks }) => checks.length > 0 && failuresOf(checks).length === 0)
  );
}

function writeCount({ name, checks }: CheckGroup): string {
  return `${name} ${String(checks.length - failuresOf(checks).length)}/${String(checks.length)}`;
}

function writeFailures({ name, checks }: CheckGroup): string[] {
  if (checks.length === 0) return [`    ✗ ${name}: there was nothing to look at`];
  const failures = failuresOf(checks);
  const told = failures
    .slice(0, TOLD)
    .map(({ what, fault = '' }: Check) => `    ✗ ${name}: ${what}: ${fault}`);
  const rest = failures.length - told.length;
  return rest > 0 ? [...told, `    ✗ ${name}: and ${String(rest)} more`] : told;
}

function writeSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
