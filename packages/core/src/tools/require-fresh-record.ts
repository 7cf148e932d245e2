import type { ClassReference } from '../metadata/class-metadata.js';
import type { DerivedParameter, DerivedTool } from '../schema/derived-class.js';
import { sourceName } from '../schema/source-name.js';
import { SchemaStaleError } from './schema-stale.error.js';
import { type WrittenParameters, writtenParameters } from './written-parameters.js';

/**
 * Refuses a record that was not made from the code that runs, as far as the method's parameters tell. Not in
 * production, where code is minified and was checked before.
 *
 * @throws {SchemaStaleError}
 */
export function requireFreshRecord(target: ClassReference, method: string, derived: DerivedTool): void {
  if (process.env['NODE_ENV'] === 'production') return;
  const written = writtenParameters((target.prototype as Record<string, unknown>)[method], method);
  if (written === undefined || isOf(derived.parameters, written)) return;
  throw new SchemaStaleError(sourceName(target), method, {
    recorded: derived.parameters.map((one) => nameOf(one) ?? one.kind),
    running: written.names,
  });
}

/** Where the code may have been changed by tools, what they do to parameters is no sign: only one too many is. */
function isOf(recorded: readonly DerivedParameter[], { names, ...text }: WrittenParameters): boolean {
  if (names.length > recorded.length) return false;
  if (text.isMinified || text.readsArguments) return true;
  const known = recorded.map(nameOf);
  const isMoved = names.some((name, index) => name !== known[index] && known.includes(name));
  return names.length === recorded.length && !isMoved;
}

function nameOf(parameter: DerivedParameter): string | undefined {
  return 'name' in parameter ? parameter.name : undefined;
}
