import { dirname, join } from 'node:path';

import { shapeOf } from '../program/shape.js';
import { ts } from '../typescript.js';

/** JavaScript for Node, the shape of the source, and the files beside it that decide what the JavaScript is like. */
export interface Transpiled {
  readonly code: string;
  readonly shape: string;
  readonly settings: readonly string[];
}

/**
 * Compiles a file by itself, with the options of the tsconfig and its source map within; types are not checked.
 *
 * @param tsconfig the tsconfig that applies to the file; undefined if there is none
 */
export function transpile(fileName: string, text: string, tsconfig: string | undefined): Transpiled {
  const { options, files } = settingsOf(tsconfig);
  const { outputText } = ts.transpileModule(text, { fileName, compilerOptions: options });
  const shape = shapeOf(ts.createSourceFile(fileName, text, ts.ScriptTarget.ESNext));
  return { code: outputText, shape, settings: [...files, TYPESCRIPT] };
}

/** The file that says which TypeScript compiles. */
const TYPESCRIPT = join(dirname(ts.getDefaultLibFilePath({})), '../package.json');

/** Compiler options of a file that runs without a build. They override its tsconfig. */
const FIXED: ts.CompilerOptions = {
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  sourceMap: false,
  inlineSourceMap: true,
  inlineSources: true,
  declaration: false,
  noEmit: false,
  isolatedModules: true,
  verbatimModuleSyntax: undefined,
};

const WITHOUT_TSCONFIG: ts.CompilerOptions = {
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
};

/** The compiler options of a tsconfig, and the files that they are from. */
interface Settings {
  readonly options: ts.CompilerOptions;
  readonly files: readonly string[];
}

const known = new Map<string | undefined, Settings>();

function settingsOf(tsconfig: string | undefined): Settings {
  const settings = known.get(tsconfig) ?? readSettings(tsconfig);
  known.set(tsconfig, settings);
  return settings;
}

/** The list of files of the tsconfig is not read. */
function readSettings(tsconfig: string | undefined): Settings {
  if (tsconfig === undefined) return { options: toRun(WITHOUT_TSCONFIG), files: [] };
  const source = ts.readJsonConfigFile(tsconfig, (name) => ts.sys.readFile(name));
  const host = { ...ts.sys, readDirectory: () => [] };
  const { options } = ts.parseJsonSourceFileConfigFileContent(source, host, dirname(tsconfig));
  return { options: toRun(options), files: [tsconfig, ...(source.extendedSourceFiles ?? [])] };
}

/** Classes stay classes; fields are made as they would be for the target of the tsconfig. */
function toRun(options: ts.CompilerOptions): ts.CompilerOptions {
  const { target = ts.ScriptTarget.ES2022 } = options;
  const isNew = target >= ts.ScriptTarget.ES2022;
  return {
    ...options,
    ...FIXED,
    target: isNew ? target : ts.ScriptTarget.ES2022,
    useDefineForClassFields: options.useDefineForClassFields ?? isNew,
  };
}
