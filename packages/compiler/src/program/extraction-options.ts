import { ts } from '../typescript.js';

/** Compiler options that an extraction does not need, or that prevent a program of some files only. */
const NOTHING_EMITTED: ts.CompilerOptions = {
  noEmit: true,
  composite: false,
  incremental: false,
  declaration: false,
  declarationMap: false,
  sourceMap: false,
  skipLibCheck: true,
};

/**
 * How strictly the user's code is checked is no affair of a schema: what is written as `| null` is nullable, and what
 * is imported by default is found.
 */
const READ_ALIKE: ts.CompilerOptions = { strictNullChecks: true, allowSyntheticDefaultImports: true };

/** The nearest of what our TypeScript knows to a value that only a later one does. */
const NEWEST = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: 'lib.esnext.d.ts',
};

/**
 * The settings of a tsconfig under which types are read. They may be meant for a later TypeScript than ours: what it
 * alone knows becomes the nearest that ours knows, and what is left unsaid has the defaults of 6 and 7, with which
 * everything is found that 5.9 finds.
 */
export function extractionOptions({ options, errors }: ts.ParsedCommandLine): ts.CompilerOptions {
  const unknown = (option: string): boolean => errors.some((error) => isUnknownValue(error, option));
  const { tsBuildInfoFile: _, types, lib, ...known } = options;
  return {
    ...known,
    target: known.target ?? NEWEST.target,
    ...moduleOptions(known, unknown),
    ...(lib !== undefined && { lib: unknown('lib') ? [...lib, NEWEST.lib] : lib }),
    ...(types?.includes('*') !== true && types !== undefined && { types }),
    ...READ_ALIKE,
    ...NOTHING_EMITTED,
  };
}

function moduleOptions(
  { module, moduleResolution }: ts.CompilerOptions,
  unknown: (option: string) => boolean,
): ts.CompilerOptions {
  if (unknown('module') || unknown('moduleResolution')) {
    return { module: NEWEST.module, moduleResolution: NEWEST.moduleResolution };
  }
  if (moduleResolution !== undefined || isNodes(module)) return {};
  return {
    module: module ?? ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
}

/** `node16` to `nodenext` say by themselves how modules are found. */
function isNodes(module: ts.ModuleKind | undefined): boolean {
  return module !== undefined && module >= ts.ModuleKind.Node16 && module <= ts.ModuleKind.NodeNext;
}

function isUnknownValue({ code, messageText }: ts.Diagnostic, option: string): boolean {
  return code === UNKNOWN_VALUE && ts.flattenDiagnosticMessageText(messageText, '').includes(`'--${option}'`);
}

/** "Argument for '--target' option must be …". */
export const UNKNOWN_VALUE = 6046;
