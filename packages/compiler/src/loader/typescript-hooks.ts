import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { LoadHook, ResolveHook } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { ts } from '../typescript.js';

/** The source that an import of an emitted file means. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx'],
  '.mjs': ['.mts'],
  '.jsx': ['.tsx'],
};

const SOURCE = /(?<!\.d)\.(?:ts|tsx|mts)$/;

/**
 * Module hooks that load TypeScript as ES modules, for `module.register`: each file is compiled by itself with the
 * options of its tsconfig, decorators and their metadata included; types are not checked. An import of `./orders.js`
 * is `./orders.ts` if only that exists.
 */
export const resolve: ResolveHook = async (specifier, context, nextResolve) => {
  try {
    return await nextResolve(specifier, context);
  } catch (error) {
    const source = sourceOf(specifier, context.parentURL);
    if (source === undefined) throw error;
    return { url: source, format: 'module', shortCircuit: true };
  }
};

export const load: LoadHook = async (url, context, nextLoad) => {
  if (!url.startsWith('file:') || !SOURCE.test(new URL(url).pathname)) return nextLoad(url, context);
  const fileName = fileURLToPath(url);
  const { outputText } = ts.transpileModule(await readFile(fileName, 'utf8'), {
    fileName,
    compilerOptions: optionsOf(dirname(fileName)),
  });
  return { format: 'module', source: outputText, shortCircuit: true };
};

/** A relative import of an emitted file of which only the source exists. */
function sourceOf(specifier: string, parent: string | undefined): string | undefined {
  if (parent === undefined || !/^\.\.?\//.test(specifier)) return undefined;
  const [extension = ''] = /\.[cm]?jsx?$/.exec(specifier) ?? [];
  for (const source of SOURCES[extension] ?? []) {
    const url = new URL(specifier.slice(0, -extension.length) + source, parent);
    if (existsSync(url)) return url.href;
  }
  return undefined;
}

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

const known = new Map<string, ts.CompilerOptions>();

function optionsOf(folder: string): ts.CompilerOptions {
  let options = known.get(folder);
  if (!options) known.set(folder, (options = toRun(readOptions(folder))));
  return options;
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

/** The options of the tsconfig that applies to the files of a folder; its list of files is not read. */
function readOptions(folder: string): ts.CompilerOptions {
  const file = ts.findConfigFile(folder, (name) => ts.sys.fileExists(name));
  if (file === undefined) return WITHOUT_TSCONFIG;
  const { config } = ts.readConfigFile(file, (name) => ts.sys.readFile(name)) as {
    readonly config?: unknown;
  };
  const host = { ...ts.sys, readDirectory: () => [] };
  return ts.parseJsonConfigFileContent(config ?? {}, host, dirname(file)).options;
}
