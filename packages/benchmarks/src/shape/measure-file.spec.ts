import { measureFile } from './measure-file.js';

const SOURCE = `import type { A } from './a.js';
export { b } from './b.js';
export type C = import('./c.js').C;
export function run(value: any): void;
export function run(value: unknown): void {
  [value].forEach((one) => one);
}
export const walk = async () => {
  await import('./d.js');
};
class Local {
  constructor(readonly a: A) {}
  get size() {
    return 1;
  }
}
`;

it('measures the functions that have a name and a body, and their lines', () => {
  expect(measureFile('x.ts', SOURCE).functions).toEqual([
    { name: 'run', line: 5, lines: 3 },
    { name: 'walk', line: 8, lines: 3 },
    { name: 'constructor', line: 12, lines: 1 },
    { name: 'size', line: 13, lines: 3 },
  ]);
});

it('counts lines, own exports and uses of any, and lists every import', () => {
  expect(measureFile('x.ts', SOURCE)).toMatchObject({
    lines: 16,
    exports: 3,
    anys: 1,
    imports: ['./a.js', './b.js', './c.js', './d.js'],
  });
});

it('counts the lines that hold code, conditions, and members under a condition', () => {
  const text = `/** A comment. */
export function merge(a?: A, b?: undefined) {

  // Another one.
  const text = a ? \`one
  two\` : ''; /* and one behind code */
  return { ...(a !== undefined && { a }), ...(b ? { b } : {}), ...a };
}
`;

  expect(measureFile('x.ts', text)).toMatchObject({
    lines: 8,
    codeLines: 5,
    undefineds: 2,
    ternaries: 2,
    conditionalSpreads: 2,
  });
});
