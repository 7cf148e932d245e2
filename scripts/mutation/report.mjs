import { isInSample, NOT_IN_SAMPLE } from './sample.mjs';

const COLUMNS = ['mutants', 'killed', 'survived', 'timeout', 'no coverage', 'score'];

/** The column in which a mutant counts. A spec file that breaks off has found its mutant as one that fails has. */
const COLUMN_OF = {
  Killed: 'killed',
  RuntimeError: 'killed',
  Survived: 'survived',
  Timeout: 'timeout',
  NoCoverage: 'no coverage',
};

/** Prints a line for each file, one for all, and each mutant that no spec noticed. */
export function printReport({ files }, sample) {
  const tried = Object.entries(files)
    .sort()
    .map(([path, { source, mutants }]) => ({
      path,
      lines: source.split('\n'),
      mutants: mutants.filter(
        (mutant) =>
          mutant.status in COLUMN_OF && mutant.status !== NOT_IN_SAMPLE && isInSample(mutant, path, sample),
      ),
    }));
  printTable(tried.filter(({ mutants }) => mutants.length > 0));
  tried.forEach(printUnnoticed);
}

function printTable(files) {
  const rows = files.map(({ path, mutants }) => ({ path, ...countsOf(mutants) }));
  const all = { path: 'all', ...countsOf(files.flatMap(({ mutants }) => mutants)) };
  const width = Math.max(...rows.map(({ path }) => path.length));
  console.log(`\n${'file'.padEnd(width)}${COLUMNS.map((name) => `  ${name}`).join('')}`);
  for (const row of [...rows, all]) {
    const cells = COLUMNS.map((name) => `  ${row[name].padStart(name.length)}`);
    console.log(`${row.path.padEnd(width)}${cells.join('')}`);
  }
}

/** By column, as printed. */
function countsOf(mutants) {
  const counts = Object.fromEntries(Object.values(COLUMN_OF).map((column) => [column, 0]));
  for (const { status } of mutants) counts[COLUMN_OF[status]] += 1;
  const score = (100 * (counts.killed + counts.timeout)) / mutants.length;
  return {
    ...Object.fromEntries(Object.entries(counts).map(([column, count]) => [column, String(count)])),
    mutants: String(mutants.length),
    score: score.toFixed(1),
  };
}

function printUnnoticed({ path, lines, mutants }) {
  for (const mutant of mutants) {
    if (mutant.status !== 'Survived' && mutant.status !== 'NoCoverage') continue;
    const { start } = mutant.location;
    const change = `${shortened(textAt(lines, mutant.location))}  →  ${shortened(mutant.replacement ?? '')}`;
    console.log(
      `\n${path}:${String(start.line)}:${String(start.column)} ${mutant.mutatorName}, ${mutant.status}`,
    );
    console.log(`    ${change}`);
  }
}

function textAt(lines, { start, end }) {
  const within = lines.slice(start.line - 1, end.line);
  within[within.length - 1] = within.at(-1).slice(0, end.column - 1);
  within[0] = within[0].slice(start.column - 1);
  return within.join(' ');
}

function shortened(text) {
  const flat = text.replace(/\s+/g, ' ');
  return flat.length > 90 ? `${flat.slice(0, 89)}…` : flat;
}
