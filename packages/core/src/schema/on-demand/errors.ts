import { AdornError } from '../../errors/adorn.error.js';
import { type AdornErrorCode, ERROR_CODES } from '../../errors/error-codes.js';
import type { DerivationFault } from './derivation-cache.js';

/** The compiler could not run, failed, or returned something that is not its result. */
export class DerivationFailedError extends AdornError {
  readonly code = 'DERIVATION_FAILED';
}

/**
 * The compiler reported faults in the sources. The code is that of the first fault, such as TYPE_NOT_REPRESENTABLE or
 * TOOL_MISPLACED; the message lists all of them.
 */
export class CompilerFaultError extends AdornError {
  readonly code: AdornErrorCode;

  constructor(faults: readonly DerivationFault[]) {
    super(faults.map(({ message }) => message).join('\n'));
    this.code = ERROR_CODES.find((known) => known === faults[0]?.code) ?? 'DERIVATION_FAILED';
  }
}

/** A class or function without a record, and why none could be derived. */
export interface MissingSchema {
  readonly kind: 'class' | 'function';
  readonly name: string;
  /** The tool methods of a class, if known. */
  readonly methods: readonly string[];
  /** A sentence without its period. */
  readonly why: string;
}

/** Tools have no schemas: none were built, and none could be derived. */
export class SchemaMissingError extends AdornError {
  readonly code = 'SCHEMA_MISSING';

  constructor(readonly missing: readonly MissingSchema[]) {
    super(
      `There is no schema for ${missing.map(describe).join('; ')}. ` +
        'Run "adorn build" after tsc, bundle with the plugin (adorn() of "@adorn/compiler/vite", "/esbuild", "/rollup", ' +
        '"/rolldown" or "/webpack"), install @adorn/compiler as a dev dependency to derive schemas in development, ' +
        'or write the schema: @tool({ parameters }) or defineTool({ parameters }).',
    );
  }
}

function describe({ kind, name, methods, why }: MissingSchema): string {
  if (kind === 'function') return `the function ${name}: ${why}`;
  const names = methods.length > 0 ? ` (${methods.join(', ')})` : '';
  return `the tools of ${name}${names}: ${why}`;
}
