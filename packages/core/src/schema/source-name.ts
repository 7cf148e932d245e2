import type { ClassReference } from '../metadata/class-metadata.js';
import { writtenRecord } from './derived-records.js';

/** The name of a class as its source has it, where the build wrote that down: a minifier may give it another. */
export function sourceName(target: ClassReference): string {
  return writtenRecord(target)?.name ?? target.name;
}
