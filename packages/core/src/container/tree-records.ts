import { AdornError } from '../errors/adorn.error.js';
import type { ClassReference } from '../metadata/class-metadata.js';
import { type DerivedRecords, loadDerivedRecords, type ToolMethods } from '../schema/derived-records.js';
import type { FunctionRecord } from '../schema/function-record.js';

/**
 * The records of a tree: those of tool classes and functions must be there; helpful ones, such as those that only
 * hold a description, are left out where they cannot be had. The compiler is not started for helpful ones alone.
 */
export function loadTreeRecords(
  tools: ToolMethods,
  functions: readonly FunctionRecord[],
  helpful: readonly ClassReference[],
): Promise<DerivedRecords> {
  return loadDerivedRecords(tools, functions, { classes: helpful, deriveAlone: false });
}

/** The records of classes that can be had, by a run of the compiler if need be. */
export async function findRecords(classes: readonly ClassReference[]): Promise<DerivedRecords> {
  try {
    return await loadDerivedRecords(new Map(), [], { classes, deriveAlone: true });
  } catch (error) {
    if (AdornError.is(error)) return new Map();
    throw error;
  }
}
