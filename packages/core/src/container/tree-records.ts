import type { ClassReference } from '../metadata/class-metadata.js';
import {
  type DerivedRecords,
  loadDerivedRecords,
  type ToolMethods,
  writtenRecord,
} from '../schema/derived-records.js';
import type { FunctionRecord } from '../schema/function-record.js';
import { SchemaMissingError } from '../schema/on-demand/schema-missing.error.js';

/**
 * The records of a tree: those of tool classes and functions must be there; those that only hold a description are read where
 * they can be, because an agent may do without one.
 */
export async function loadTreeRecords(
  tools: ToolMethods,
  functions: readonly FunctionRecord[],
  undescribed: readonly ClassReference[],
): Promise<DerivedRecords> {
  if (
    tools.size + functions.length > 0 &&
    undescribed.length > 0 &&
    process.env['NODE_ENV'] !== 'production'
  ) {
    const all = await loadLeniently(
      new Map([...undescribed.map((target) => [target, []] as const), ...tools]),
      functions,
    );
    if (all !== undefined) return all;
  }
  const written = undescribed.flatMap((target) => {
    const record = writtenRecord(target);
    return record === undefined ? [] : [[target, record] as const];
  });
  return new Map([...(await loadDerivedRecords(tools, functions)), ...written]);
}

async function loadLeniently(
  targets: ToolMethods,
  functions: readonly FunctionRecord[],
): Promise<DerivedRecords | undefined> {
  try {
    return await loadDerivedRecords(targets, functions);
  } catch (error) {
    if (error instanceof SchemaMissingError) return undefined;
    throw error;
  }
}
