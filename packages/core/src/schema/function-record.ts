import type { DerivedTool } from './derived-class.js';

/** A function that is a tool, with its record: built, or loaded on demand. */
export class FunctionRecord {
  constructor(
    /** The name by which the compiler finds it: its own, or that of the tool. */
    readonly name: string,
    /** The file that makes it a tool. */
    readonly site: string | undefined,
    public derived?: DerivedTool,
  ) {}
}
