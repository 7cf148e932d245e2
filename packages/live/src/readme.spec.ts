import { access, readFile } from 'node:fs/promises';

/** The rows that the table of promises has to name, each once. */
const ROWS = [
  ...numbered('LV', 1, 48),
  ...numbered('W', 47, 63),
  'AT-16',
  'AT-17',
  'BT-14',
  'LR-18',
  'LR-19',
];

describe('the table of promises', () => {
  it('names each row once, and specs that exist', async () => {
    const readme = await readFile('packages/live/README.md', 'utf8');
    const lines = readme.split('\n').filter((line) => /^\| (?:LV|W|AT|BT|LR)-\d/.test(line));
    const cells = lines.map((line) => line.split('|').map((cell) => cell.trim()));
    const rows = cells.flatMap(([, named = '']) => named.split(', '));
    const specs = cells.flatMap(([, , , named = '']) =>
      [...named.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
    );
    const missing: string[] = [];
    for (const path of new Set(specs)) await access(path).catch(() => missing.push(path));

    expect(rows.toSorted()).toEqual(ROWS.toSorted());
    expect(missing).toEqual([]);
    expect(cells.every(([, , , named = '']) => named === 'not built' || named.includes('.spec.ts'))).toBe(
      true,
    );
  });
});

function numbered(prefix: string, from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, at) => `${prefix}-${String(from + at).padStart(2, '0')}`);
}
