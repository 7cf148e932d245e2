import * as fc from 'fast-check';

import { migrateSource } from './migrate-source.js';
import { RENAMES } from './renames.js';

const OLD = RENAMES.flatMap((rename) =>
  'of' in rename
    ? []
    : (Array.isArray(rename.names) ? (rename.names as string[]) : Object.keys(rename.names)).flatMap((name) =>
        rename.from.map((entry) => ({ entry, name })),
      ),
);

const old = fc.constantFrom(...OLD);
const local = fc.constantFrom('', ' as other', ' as RequireConfirmation', ' as workflow');
const use = fc.constantFrom(
  (name: string) => `export const a_${name} = { ${name}, ${name}: ${name}, b: x.${name} };`,
  (name: string) => `export type T_${name} = ${name} | typeof ${name};`,
  (name: string) => `function f_${name}(${name}: string) { return ${name}; }`,
  (name: string) => `// ${name}\nconst s_${name} = '${name}' + \`\${${name}}\`;`,
  (name: string) => `class C_${name} extends ${name} { ${name} = new ${name}(); }`,
);

/** A line that imports an old name, and lines that use it. */
const importing = fc
  .tuple(old, local, fc.constantFrom('import', 'import type', 'export'), fc.array(use))
  .map(([{ entry, name }, as, keyword, uses]) => ({
    head: `${keyword} { ${name}${as}, kept } from '${entry}';`,
    body: uses.map((write) => write(as === '' ? name : as.slice(4))),
  }));

const program = fc
  .array(importing, { minLength: 1, maxLength: 6 })
  .map((parts) => [...parts.map(({ head }) => head), ...parts.flatMap(({ body }) => body)].join('\n'));

describe('migrateSource, for any program', () => {
  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(program, (text) => {
        const once = migrateSource('/a.ts', text);
        const twice = migrateSource('/a.ts', once.text);

        expect(twice.text).toBe(once.text);
        expect(twice.changes).toEqual([]);
      }),
    );
  });

  it('leaves a program of other modules as it is, byte by byte', () => {
    fc.assert(
      fc.property(program, (text) => {
        const foreign = text.replaceAll(/from '/g, "from './adorn/");

        expect(migrateSource('/a.ts', foreign)).toEqual({ text: foreign, changes: [], byHand: [] });
      }),
    );
  });
});
