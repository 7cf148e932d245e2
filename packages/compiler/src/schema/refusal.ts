import { TagRefusal } from './tag-refusal.js';

/** Thrown inside the walk at a type that JSON cannot hold; the method it belongs to is named further up. */
export class Refusal extends Error {
  /** The properties on the way to the type, outermost first. */
  readonly path: string[] = [];

  constructor(
    readonly type: string,
    readonly reason: string,
    readonly cure: string,
  ) {
    super(reason);
  }
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
