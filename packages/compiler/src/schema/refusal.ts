import { ts } from '../typescript.js';

/** Thrown inside the walk at a type that JSON cannot hold; the method it belongs to is named further up. */
export class Refusal extends Error {
  /** The properties on the way to the type, outermost first. */
  readonly path: string[] = [];

  constructor(
    readonly type: string,
    readonly reason: string,
    readonly cure: string,
    /** The type is not found, so that a file which is not there yet may cure it. */
    readonly isUnresolved = false,
  ) {
    super(reason);
  }
}

/** The refusal of a type that TypeScript cannot find. */
export function unresolvedType(type: string): Refusal {
  return new Refusal(
    type,
    'TypeScript cannot find it.',
    'Correct the import, or install what it names.',
    true,
  );
}

/** Does `work`, and where a type in it is refused, notes that it was met under `name`. */
export function under<Result>(name: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal || error instanceof TagRefusal) error.path.unshift(name);
    throw error;
  }
}

/** True if the type is unresolved: its name or module was not found. */
export function isErrorType(type: ts.Type): boolean {
  return (
    (type.flags & ts.TypeFlags.Any) !== 0 && (type as { intrinsicName?: string }).intrinsicName === 'error'
  );
}

/** Thrown inside the walk at a tag of a doc comment that cannot be followed; the tool is named further up. */
export class TagRefusal extends Error {
  /** The properties on the way to what the tag speaks of, outermost first. */
  readonly path: string[] = [];

  constructor(
    problem: string,
    /** What the comment stands at, where that is known. */
    readonly at: ts.Node | undefined,
  ) {
    super(problem);
  }
}
