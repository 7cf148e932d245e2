import { AdornError } from '../../errors/adorn.error.js';
import { type AdornErrorCode, ERROR_CODES } from '../../errors/error-codes.js';
import type { DerivationFault } from './derivation-cache.js';

/**
 * The compiler could not derive a record. Where it said why, its code and message are this error's: a type that
 * JSON cannot hold is TYPE_NOT_REPRESENTABLE, a `@tool` that stands wrong is TOOL_MISPLACED.
 */
export class DerivationFailedError extends AdornError {
  readonly code: AdornErrorCode;

  constructor(message: string, code: AdornErrorCode = 'DERIVATION_FAILED') {
    super(message);
    this.code = code;
  }

  /** One error for all faults: the code is that of the first, the message tells them all. */
  static of(faults: readonly DerivationFault[]): DerivationFailedError {
    const code = ERROR_CODES.find((known) => known === faults[0]?.code);
    return new this(faults.map(({ message }) => message).join('\n'), code);
  }
}

/** A class or function without a record, and why none could be derived. */
export interface MissingSchema {
  readonly kind: 'class' | 'function';
  readonly name: string;
  /** The tool methods of a class, where they are known. */
  readonly methods: readonly string[];
  /** A whole sentence without its full stop. */
  readonly why: string;
}

/** The signatures of tools are not known: nothing was built, and nothing could be derived. */
export class SchemaMissingError extends AdornError {
  readonly code = 'SCHEMA_MISSING';

  constructor(readonly missing: readonly MissingSchema[]) {
    super(
      `There is no schema of ${missing.map(describe).join('; ')}. ` +
        'Run "adorn build" after tsc, bundle with the plugin (adorn() of "@adorn/compiler/vite", "/esbuild", "/rollup", ' +
        '"/rolldown" or "/webpack"), install @adorn/compiler as a dev dependency where schemas may be derived, ' +
        'or say what a tool takes with @tool({ parameters }) or defineTool({ parameters }).',
    );
  }
}

function describe({ kind, name, methods, why }: MissingSchema): string {
  if (kind === 'function') return `the function ${name}: ${why}`;
  const names = methods.length > 0 ? ` (${methods.join(', ')})` : '';
  return `the tools of ${name}${names}: ${why}`;
}
