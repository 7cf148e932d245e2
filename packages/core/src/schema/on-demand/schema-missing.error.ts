import { AdornError } from '../../errors/adorn.error.js';

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
