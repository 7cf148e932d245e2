import type { ClassReference } from '../metadata/class-metadata.js';
import { writtenRecord } from './derived-records.js';

/** The name of a class in its source, if built: a minifier may have changed the other. */
export function sourceName(target: ClassReference): string {
  return writtenRecord(target)?.name ?? target.name;
}
