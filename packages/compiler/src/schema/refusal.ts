import { ts } from '../typescript.js';

/** Thrown inside the walk at a type without a JSON form. The caller adds the method. */
export class Refusal extends Error {
  /** The properties that lead to the type, outermost first. */
  readonly path: string[] = [];

  constructor(
    readonly type: string,
    readonly reason: string,
    readonly cure: string,
    /** True if the type is not found; a file that does not exist yet may declare it. */
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

/** Runs `work`; adds `name` to the path of a refusal. */
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

/** Thrown inside the walk at an invalid tag of a doc comment. The caller adds the tool. */
export class TagRefusal extends Error {
  /** The properties that lead to the tag's place, outermost first. */
  readonly path: string[] = [];

  constructor(
    problem: string,
    /** The commented node, if known. */
    readonly at: ts.Node | undefined,
  ) {
    super(problem);
  }
}
