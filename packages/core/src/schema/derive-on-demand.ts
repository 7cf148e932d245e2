import { AdornError, type AdornErrorCode, ERROR_CODES } from '../errors/adorn.error.js';
import type { DerivedClass, DerivedTool } from './derived-class.js';
import { askCompiler, type DerivationFault, findCompiler, type RecordAnswer } from './installed-compiler.js';

/** A class or a function whose record is wanted. */
export type Wanted = WantedClass | WantedFunction;

export interface WantedClass {
  readonly kind: 'class';
  readonly name: string;
  /** The file in which it was decorated, as {@link declarationSite} saw it. */
  readonly site: string | undefined;
  /** Its tool methods, for the error that says it has no schema. */
  readonly methods?: readonly string[];
  /** Omitted if it cannot be derived. */
  readonly isOptional?: true;
  readonly keep: (record: DerivedClass) => void;
}

export interface WantedFunction {
  readonly kind: 'function';
  readonly name: string;
  /** The file that makes it a tool. */
  readonly site: string | undefined;
  readonly isOptional?: never;
  readonly keep: (record: DerivedTool) => void;
}

/**
 * Derives records of classes and functions from their sources, by `@adorn/compiler` where it is installed.
 *
 * @throws {SchemaMissingError} in production, without @adorn/compiler, or where a source is not found
 * @throws {DerivationFailedError} if the compiler fails
 * @throws {CompilerFaultError} if the compiler reports faults
 */
export async function deriveOnDemand(wanted: readonly Wanted[]): Promise<void> {
  if (wanted.length === 0) return;
  if (process.env['NODE_ENV'] === 'production') {
    refuse(wanted, () => 'in production it is not derived, and "adorn build" has not written it');
    return;
  }
  const compiler = await findCompiler(wanted.find(({ site }) => site !== undefined)?.site);
  if (compiler === undefined) {
    refuse(wanted, () => '@adorn/compiler is not installed, or not built');
    return;
  }
  const requests = wanted.map(({ kind, name, site }) => ({ kind, name, site }));
  const answer = await askCompiler(compiler, requests);
  if (answer.kind === 'failed') throw new DerivationFailedError(answer.message);
  keepRecords(new Map(wanted.map((one, index) => [one, answer.answers[index] ?? NO_ANSWER])));
}

const NO_ANSWER: RecordAnswer = { kind: 'missing', why: 'the compiler gave no answer for it' };

function keepRecords(answers: ReadonlyMap<Wanted, RecordAnswer>): void {
  const faults = [...answers].flatMap(([one, answer]) =>
    answer.kind === 'faulty' && one.isOptional !== true ? [answer.fault] : [],
  );
  if (faults.length > 0) throw new CompilerFaultError(faults);
  const missing = new Map<Wanted, string>();
  for (const [one, answer] of answers) {
    if (answer.kind === 'derived') keep(one, answer.record);
    else if (answer.kind === 'missing') missing.set(one, answer.why);
  }
  refuse([...missing.keys()], (one) => missing.get(one) ?? '');
}

/** The compiler answers a request for a class with the record of a class, and one for a function with a tool's. */
function keep(one: Wanted, record: DerivedClass | DerivedTool): void {
  if (one.kind === 'class') one.keep(record as DerivedClass);
  else one.keep(record as DerivedTool);
}

/** Throws for those that are not optional. */
function refuse(lost: readonly Wanted[], why: (one: Wanted) => string): void {
  const required = lost.filter(({ isOptional }) => isOptional !== true);
  if (required.length === 0) return;
  throw new SchemaMissingError(
    required.map((one) => {
      const methods = one.kind === 'class' ? (one.methods ?? []) : [];
      return { kind: one.kind, name: one.name, methods, why: why(one) };
    }),
  );
}

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
    super([...new Set(faults.map(({ message }) => message))].join('\n'));
    this.code = ERROR_CODES.find((known) => known === faults[0]?.code) ?? 'DERIVATION_FAILED';
  }
}

/** A class or function without a record, and the reason. */
export interface MissingSchema {
  readonly kind: 'class' | 'function';
  readonly name: string;
  /** The tool methods of a class, if known. */
  readonly methods: readonly string[];
  /** A sentence without its period. */
  readonly why: string;
}

/** Tools have no schemas: they were neither built nor derivable. */
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
