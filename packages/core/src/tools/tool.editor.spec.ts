import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import ts from 'typescript';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const FILE = join(FOLDER, 'example.ts');

const IMPORTS = [
  "import { z } from 'zod';",
  "import { defineTool } from './define-tool.js';",
  "import { tool } from './tool.decorator.js';",
  'const refund = (id: string): string => id;',
  'const parameters = z.object({ id: z.string() });',
];

/** Programs are made here, on a machine that may have other work. */
const SLOW = 60_000;

/** One slip each, and the error of TypeScript, whole. */
const SLIPS: readonly (readonly [string, RegExp])[] = [
  [
    'class A { @tool({ confrim: true }) refund(id: string): string { return id; } }',
    /^Object literal may only specify known properties, but 'confrim' does not exist in type '[^']+'\. Did you mean to write 'confirm'\?$/,
  ],
  [
    'class B { @tool({ parameters, confrim: true }) refund({ id }: { id: string }): string { return id; } }',
    /^Object literal may only specify known properties, but 'confrim' does not exist in type '[^']+'\. Did you mean to write 'confirm'\?$/,
  ],
  [
    "class C { @tool({ timeout: '5' }) refund(id: string): string { return id; } }",
    /^Type 'string' is not assignable to type 'number'\.$/,
  ],
  [
    "class D { @tool({ effect: 'reads' }) refund(id: string): string { return id; } }",
    /^Type '"reads"' is not assignable to type 'ToolEffect \| undefined'\. Did you mean '"read"'\?$/,
  ],
  [
    'class E { @tool({ confirm: (cents: number) => cents > 5 }) refund(id: string): string { return id; } }',
    /^( *Type '\(cents: number\) => boolean' is not assignable to type .+\n){2}.*\n +Type 'string' is not assignable to type 'number'\.$/,
  ],
  [
    'defineTool(refund, { confrim: true });',
    /^Object literal may only specify known properties, but 'confrim' does not exist in type '[^']+'\. Did you mean to write 'confirm'\?$/,
  ],
  [
    "defineTool({ name: 'a', run: ({ id }: { id: string }) => id, confrim: true });",
    /^Object literal may only specify known properties, but 'confrim' does not exist in type '[^']+'\. Did you mean to write 'confirm'\?$/,
  ],
  [
    "defineTool({ name: 'b', parameters, run: ({ id }) => id, confrim: true });",
    /^Object literal may only specify known properties, but 'confrim' does not exist in type '[^']+'\. Did you mean to write 'confirm'\?$/,
  ],
  [
    "defineTool({ name: 'c', run: ({ id }: { id: string }) => id, timeout: '5' });",
    /^Type 'string' is not assignable to type 'number'\.$/,
  ],
  [
    "defineTool({ name: 'd', parameters, run: ({ id }) => id, effect: 'reads' });",
    /^Type '"reads"' is not assignable to type 'ToolEffect'\. Did you mean '"read"'\?$/,
  ],
  [
    "defineTool({ name: 'e', parameters, run: ({ id }: { id: number }) => id });",
    /^Type '\(.+\) => number' is not assignable to type '\(args: \{ id: string; \}, .+\n.+\n.+\n.+\n +Type 'string' is not assignable to type 'number'\.$/,
  ],
  [
    "defineTool({ name: 'f' });",
    /\n +Property 'run' is missing in type '\{ name: string; \}' but required in type '[^']+'\.$/,
  ],
  [
    "defineTool({ name: 'g', run: 1 });",
    /^Type 'number' is not assignable to type '\(args: .+\) => unknown'\.$/,
  ],
  [
    'defineTool(class Die {});',
    /^Argument of type 'typeof Die' is not assignable to parameter of type '.+'\.$/,
  ],
];

describe('what an editor shows of @tool and defineTool', () => {
  const text = [...IMPORTS, ...SLIPS.map(([slip]) => slip)].join('\n');
  const service = serve(text);

  it(
    'is one short error for one wrong option',
    () => {
      const errors = service.getSemanticDiagnostics(FILE);

      expect(errors.map(textOf)).toEqual(SLIPS.map(([, error]): unknown => expect.stringMatching(error)));
      expect(errors.map(lineOf)).toEqual(SLIPS.map((_, index) => IMPORTS.length + index));
    },
    SLOW,
  );

  it(
    'is its description with examples, whose decorators are not taken for tags of the comment',
    () => {
      const hover = service.getQuickInfoAtPosition(FILE, text.indexOf('@tool') + 1);

      expect(ts.displayPartsToString(hover?.documentation)).toContain('`@tool forecast(city: string) { … }`');
      expect(ts.displayPartsToString(hover?.documentation)).toContain('`@tool({ confirm: ');
      expect(hover?.tags?.map(({ name }) => name)).toEqual(['throws', 'throws']);
    },
    SLOW,
  );
});

function serve(text: string): ts.LanguageService {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    strict: true,
    exactOptionalPropertyTypes: true,
    experimentalDecorators: true,
    types: ['node'],
  };
  return ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [FILE],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => snapshotOf(path === FILE ? text : ts.sys.readFile(path)),
    getCurrentDirectory: () => FOLDER,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (path) => path === FILE || ts.sys.fileExists(path),
    readFile: (path) => (path === FILE ? text : ts.sys.readFile(path)),
  });
}

function snapshotOf(text: string | undefined): ts.IScriptSnapshot | undefined {
  return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
}

function textOf({ messageText }: ts.Diagnostic): string {
  return ts.flattenDiagnosticMessageText(messageText, '\n');
}

function lineOf({ file, start = 0 }: ts.Diagnostic): number | undefined {
  return file?.getLineAndCharacterOfPosition(start).line;
}
