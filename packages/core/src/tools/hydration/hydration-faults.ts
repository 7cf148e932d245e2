import { ToolArgumentsInvalidError } from '../errors.js';

/** Problems in the arguments of one call that the schema cannot express, without duplicates. */
export class HydrationFaults {
  private readonly problems = new Set<string>();

  add(problem: string): void {
    this.problems.add(problem);
  }

  /** @throws {ToolArgumentsInvalidError} if there are problems */
  throwAny(toolName: string): void {
    if (this.problems.size > 0) throw new ToolArgumentsInvalidError(toolName, [...this.problems]);
  }
}
