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
 * The strictness of the user's project does not affect schemas: `| null` is always nullable, and default imports are
 * always resolved.
 */
const READ_ALIKE: ts.CompilerOptions = { strictNullChecks: true, allowSyntheticDefaultImports: true };

/** Replacements for values that only later versions of TypeScript support. */
const NEWEST = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: 'lib.esnext.d.ts',
};

/**
 * The settings of a tsconfig for reading types. The tsconfig may be for a later TypeScript: unknown values are
 * replaced by the nearest known ones, and absent settings have the defaults of 6 and 7, with which every module that
 * 5.9 resolves is resolved.
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

/** `node16` to `nodenext` imply how modules are resolved. */
function isNodes(module: ts.ModuleKind | undefined): boolean {
  return module !== undefined && module >= ts.ModuleKind.Node16 && module <= ts.ModuleKind.NodeNext;
}

function isUnknownValue({ code, messageText }: ts.Diagnostic, option: string): boolean {
  return code === UNKNOWN_VALUE && ts.flattenDiagnosticMessageText(messageText, '').includes(`'--${option}'`);
}

/** "Argument for '--target' option must be …". */
export const UNKNOWN_VALUE = 6046;
