import { AdornError } from '@adorn/core';

/** The compiler could not do its work: a tsconfig it cannot read, no emitted file, a class it cannot reach. */
export class DerivationFailedError extends AdornError {
  readonly code = 'DERIVATION_FAILED';
}

/** The sources of a project are decorated, and its tsconfig leaves decorators to the standard. */
export class ExperimentalDecoratorsMissingError extends AdornError {
  readonly code = 'EXPERIMENTAL_DECORATORS_MISSING';

  /** @param decorator the place of the first one */
  constructor(tsconfig: string, decorator: string) {
    super(
      `${tsconfig} does not set "experimentalDecorators", and the project uses decorators (${decorator}). ` +
        'Set "experimentalDecorators": true in its "compilerOptions", and compile again.',
    );
  }
}

/** An emitted file is not there, not whole, or not that of its source as it is now: tsc has not run, or is at it. */
export class EmittedFileError extends DerivationFailedError {}

/** Emitted files whose schemas are not those of their sources, found by a check that writes nothing. */
export class SchemaStaleError extends AdornError {
  readonly code = 'SCHEMA_STALE';

  constructor(readonly files: readonly string[]) {
    super(
      `The schemas in ${String(files.length)} emitted file${files.length === 1 ? '' : 's'} are missing or stale: ` +
        `${files.join(', ')}. Run tsc and then "adorn build".`,
    );
  }
}

/** `@tool` stands on a member that the dispatcher cannot call. */
export class ToolMisplacedError extends AdornError {
  readonly code = 'TOOL_MISPLACED';

  constructor(className: string, member: string, kind: string, place: string) {
    super(
      `@tool stands on ${className}.${member}, which is ${kind} (${place}). ` +
        'A tool is a public method of an instance: make it one, or take @tool away.',
    );
  }
}

/** What the signature and its tags say together is not a valid JSON Schema. */
export class SchemaInvalidError extends AdornError {
  readonly code = 'SCHEMA_INVALID';

  constructor(callable: string, place: string, problem: string, options?: ErrorOptions) {
    super(
      `The schema derived for ${callable} (${place}) is not valid: ${problem}. ` +
        'Look at the tags of its doc comment (@minimum, @pattern and the like) and correct their values.',
      options,
    );
  }
}

/** Where a type stands: the method or function and what of it, or a part of that. */
export interface TypePlace {
  readonly file: string;
  readonly line: number;
  /** Absent for a function. */
  readonly className?: string;
  readonly method: string;
  /** Absent for the result. */
  readonly parameter?: string;
  /** The properties that lead from the parameter or the result to the type; empty where it is their own. */
  readonly path: readonly string[];
}

/** A tool's parameter or result has a type that JSON has no form for, so no schema can promise it. */
export class TypeNotRepresentableError extends AdornError {
  readonly code = 'TYPE_NOT_REPRESENTABLE';

  constructor(
    readonly place: TypePlace,
    /** The type as TypeScript prints it. */
    readonly type: string,
    reason: string,
    cure: string,
    /** The type is not found, so that a file which is not there yet may cure it. */
    readonly isUnresolved = false,
  ) {
    const { file, line, className, method, parameter, path } = place;
    const owner = className === undefined ? method : `${className}.${method}`;
    const steps = [...(parameter === undefined ? [] : [parameter]), ...shortened(path)];
    const part = path.length > 0 ? ` ("${steps.join('.')}")` : '';
    const subject = parameter === undefined ? 'The result' : `Parameter "${parameter}"`;
    super(
      `${subject} of ${owner}${part} has the type "${type}" ` +
        `(${file}:${String(line)}): ${reason} ${cure}`,
    );
  }
}

const LONGEST_PATH = 12;

/** The way into a type that never ends is told by its beginning. */
function shortened(path: readonly string[]): readonly string[] {
  return path.length > LONGEST_PATH ? [...path.slice(0, LONGEST_PATH / 2), '…'] : path;
}
