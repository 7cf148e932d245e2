import { ToolArgumentsInvalidError } from '../errors.js';

/** What is wrong with the arguments of one call and no schema could tell; each is said once. */
export class RevivalFaults {
  private readonly problems = new Set<string>();

  add(problem: string): void {
    this.problems.add(problem);
  }

  /** @throws {ToolArgumentsInvalidError} where anything is */
  throwAny(toolName: string): void {
    if (this.problems.size > 0) throw new ToolArgumentsInvalidError(toolName, [...this.problems]);
  }
}
