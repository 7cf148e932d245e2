import { AdornError } from '@adorn/core';
import type { AdornErrorCode } from '@adorn/core/backend';
import { shownPath } from '../program/shown-path.js';

/** The compiler failed: a tsconfig is not readable, an emitted file is missing, or a class is not found. */
export class DerivationFailedError extends AdornError {
  readonly code = 'DERIVATION_FAILED';
}

/** The sources of a project are decorated, and its tsconfig leaves decorators to the standard. */
export class ExperimentalDecoratorsMissingError extends AdornError {
  readonly code = 'EXPERIMENTAL_DECORATORS_MISSING';

  /** @param decorator the place of the first one */
  constructor(tsconfig: string, decorator: string) {
    super(
      `${shownPath(tsconfig)} does not set "experimentalDecorators", and the project uses decorators (${decorator}). ` +
        'Set "experimentalDecorators": true in its "compilerOptions", and compile again.',
    );
  }
}

/** An emitted file is missing, incomplete or outdated: tsc has not run, or is still running. */
export class EmittedFileError extends DerivationFailedError {}

/** `adorn build --check` found emitted files whose schemas are missing or outdated. */
export class SchemaStaleError extends AdornError {
  readonly code = 'SCHEMA_STALE';

  constructor(readonly files: readonly string[]) {
    super(
      `The schemas in ${String(files.length)} emitted file${files.length === 1 ? '' : 's'} are missing or stale: ` +
        `${files.map(shownPath).join(', ')}. Run tsc, then "adorn build".`,
    );
  }
}

/** `@tool` decorates a member that the dispatcher cannot call. */
export class ToolMisplacedError extends AdornError {
  readonly code = 'TOOL_MISPLACED';

  constructor(className: string, member: string, kind: string, place: string) {
    super(
      `@tool decorates ${className}.${member}, which is ${kind} (${place}). ` +
        'A tool must be a public instance method: make it one, or remove @tool.',
    );
  }
}

/** The signature and its tags do not give a valid JSON Schema. */
export class SchemaInvalidError extends AdornError {
  readonly code = 'SCHEMA_INVALID';

  constructor(callable: string, place: string, problem: string, options?: ErrorOptions) {
    super(
      `The schema derived for ${callable} (${place}) is not valid: ${problem}. ` +
        'Correct the tags of its doc comment, such as @minimum or @pattern.',
      options,
    );
  }
}

/**
 * The location of a type: the method or function, its parameter, and the path inside the parameter's type. In a
 * `@remembered` class, `parameter` is a field.
 */
export interface TypePlace {
  readonly file: string;
  readonly line: number;
  /** Absent for a function. */
  readonly className?: string;
  /** The method or function; absent for a field of a `@remembered` class. */
  readonly method?: string;
  /** Absent for the result. */
  readonly parameter?: string;
  /** The properties from the parameter or the result to the type; empty for its own type. */
  readonly path: readonly string[];
}

/** A parameter or the result of a tool has a type that JSON cannot represent. */
export class TypeNotRepresentableError extends AdornError {
  readonly code = 'TYPE_NOT_REPRESENTABLE';

  constructor(
    readonly place: TypePlace,
    /** The type as TypeScript prints it. */
    readonly type: string,
    reason: string,
    cure: string,
    /** True if the type is not found; a file that does not exist yet may declare it. */
    readonly isUnresolved = false,
  ) {
    const { file, line, className, method, parameter, path } = place;
    const owner = [className, method].filter((name) => name !== undefined).join('.');
    const steps = [...(parameter === undefined ? [] : [parameter]), ...shortened(path)];
    const part = path.length > 0 ? ` ("${steps.join('.')}")` : '';
    const kind = method === undefined ? 'Field' : 'Parameter';
    const subject = parameter === undefined ? 'The result' : `${kind} "${parameter}"`;
    super(
      `${subject} of ${owner}${part} has the type "${type}" ` +
        `(${shownPath(file)}:${String(line)}): ${reason} ${cure}`,
    );
  }
}

const LONGEST_PATH = 12;

/** Shortens the path into a recursive type. */
function shortened(path: readonly string[]): readonly string[] {
  return path.length > LONGEST_PATH ? [...path.slice(0, LONGEST_PATH / 2), '…'] : path;
}

/** Several errors at once. The code is that of the first; the message lists all of them. */
export class SeveralFaultsError extends AdornError {
  readonly code: AdornErrorCode;

  constructor(readonly faults: readonly [AdornError, ...AdornError[]]) {
    super(faults.map(({ message }) => message).join('\n'));
    this.code = faults[0].code;
  }
}

/**
 * Runs all steps before it fails, so that one run reports all errors.
 *
 * @throws the only error, or SeveralFaultsError
 */
export function allOrEveryFault<Result>(work: readonly (() => Result)[]): Result[] {
  const { results, faults } = everyOutcome(work);
  const [first, ...more] = faults;
  if (!first) return results;
  throw more.length === 0 ? first : new SeveralFaultsError([first, ...more]);
}

/** Runs all steps; returns the results and the errors. */
export function everyOutcome<Result>(work: readonly (() => Result)[]): {
  readonly results: Result[];
  readonly faults: AdornError[];
} {
  const faults: AdornError[] = [];
  const results = work.flatMap((step) => {
    try {
      return [step()];
    } catch (error) {
      if (!AdornError.is(error)) throw error;
      faults.push(...(error instanceof SeveralFaultsError ? error.faults : [error]));
      return [];
    }
  });
  return { results, faults };
}
