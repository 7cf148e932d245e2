import type { ts } from '../../typescript.js';

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
