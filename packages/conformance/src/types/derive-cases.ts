import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { type DerivationAnswer, type DerivedFile, deriveFiles } from '@adorn/compiler';
import type { DerivedClass } from '@adorn/core/compiler';

import { asJson, type Json } from './json-shape.js';
import type { TypeCase, TypeRoot } from './type-case.js';

/** What became of one type: the schema of a parameter that has it, or why there is none. */
export type Derived = ({ readonly schema: Json } | { readonly error: string }) & {
  /** The record of a class whose tool returns the type, or why there is none. */
  readonly result?: DerivedClass | string;
};

export const CLASS = 'ConformanceOfTypes';
export const METHOD = 'take';
export const PARAMETER = 'input';
const RESULT_CLASS = 'ConformanceOfResults';
export const RESULT_METHOD = 'give';

const TSCONFIG = {
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2022'],
    types: [],
    module: 'ESNext',
    moduleResolution: 'Bundler',
    strict: true,
    experimentalDecorators: true,
  },
  include: ['cases'],
};

/** Derives every case in one temporary project; the lists are in the order of the cases and of their roots. */
export function deriveCases(cases: readonly TypeCase[]): Derived[][] {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'adorn-types-')));
  try {
    writeProject(root);
    const files = cases.map((one, index) => writeCase(join(root, 'cases', String(index)), one));
    const answer = deriveFiles(files.flat());
    return files.map((own) => own.map((file) => derivedFrom(answer, file)));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function writeProject(root: string): void {
  write(join(root, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  write(join(root, 'package.json'), JSON.stringify({ name: 'conformance-of-types', type: 'module' }));
  const adorn = join(root, 'node_modules/adorn');
  write(join(adorn, 'package.json'), JSON.stringify({ name: 'adorn', types: 'index.d.ts' }));
  write(join(adorn, 'index.d.ts'), 'export declare function tool(...args: unknown[]): void;');
}

/** Writes the case's sources, each root's with a tool that takes it, and gives the files of the roots. */
function writeCase(folder: string, { sources, roots }: TypeCase): string[] {
  for (const [name, text] of Object.entries(sources)) write(join(folder, name), text);
  return roots.map((root) => write(join(folder, root.file), withTool(sources[root.file] ?? '', root)));
}

/** The tools stand in the file itself, because not every type is exported; one takes the type, and one returns it. */
function withTool(source: string, { type }: TypeRoot): string {
  return `${source}
import { tool as conformanceTool } from 'adorn';
class ${CLASS} { /** Takes it. */ @conformanceTool ${METHOD}(${PARAMETER}: ${type}): void {} }
class ${RESULT_CLASS} { /** Gives it. */ @conformanceTool ${RESULT_METHOD}(): ${type} { throw new Error(); } }
`;
}

function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function derivedFrom(answer: DerivationAnswer, file: string): Derived {
  const derived = answer[file];
  if (!derived) return { error: 'nothing was derived' };
  if ('error' in derived) return { error: derived.error.message };
  const result = derived.faults[RESULT_CLASS]?.message ?? derived.classes[RESULT_CLASS];
  return { ...parameterFrom(derived), ...(result !== undefined && { result }) };
}

function parameterFrom({ classes, faults }: DerivedFile): { schema: Json } | { error: string } {
  const fault = faults[CLASS];
  if (fault) return { error: fault.message };
  const declared = classes[CLASS]?.tools[METHOD]?.parametersJsonSchema;
  return declared ? { schema: schemaOfParameter(asJson(declared)) } : { error: 'no tool was found' };
}

/** The parameter's own schema, with the definitions of the whole. */
function schemaOfParameter({ properties, $defs }: Json): Json {
  const own = asJson(properties)[PARAMETER];
  return { ...($defs !== undefined && { $defs }), allOf: [own] };
}
