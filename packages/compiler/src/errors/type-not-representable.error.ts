import { AdornError } from '@adorn/core';

/** Where a type stands: the method or function and what of it, or a part of that. */
export interface TypePlace {
  readonly file: string;
  readonly line: number;
  /** Absent for a function. */
  readonly className?: string;
  readonly method: string;
  readonly parameter: string;
  /** The properties that lead from the parameter to the type; empty where it is the parameter's own. */
  readonly path: readonly string[];
}

/** A tool's parameter has a type that JSON has no form for, so no schema can promise it. */
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
    const part = path.length > 0 ? ` ("${[parameter, ...shortened(path)].join('.')}")` : '';
    super(
      `Parameter "${parameter}" of ${owner}${part} has the type "${type}" ` +
        `(${file}:${String(line)}): ${reason} ${cure}`,
    );
  }
}

const LONGEST_PATH = 12;

/** The way into a type that never ends is told by its beginning. */
function shortened(path: readonly string[]): readonly string[] {
  return path.length > LONGEST_PATH ? [...path.slice(0, LONGEST_PATH / 2), '…'] : path;
}
