import type { DerivedTool } from './derived-class.js';

/** A function that is a tool, and what the compiler found at it: written into the code, or filled in when it is wanted. */
export class FunctionRecord {
  constructor(
    /** By which the compiler knows it: its own name, or that of the tool. */
    readonly name: string,
    /** The file that makes a tool of it. */
    readonly site: string | undefined,
    public derived?: DerivedTool,
  ) {}
}
