import type { ClassReference } from '../metadata/class-metadata.js';
import type { DerivedParameter, DerivedTool } from '../schema/derived-class.js';
import { sourceName } from '../schema/source-name.js';
import { SchemaStaleError } from './errors.js';

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

/** A method's parameters as the text of its code has them. */
export interface WrittenParameters {
  readonly names: readonly string[];
  /** Whether the text may be what a minifier made of it: names are then not the source's, and some may be left out. */
  readonly isMinified: boolean;
  /** Whether the body reads `arguments`, as code does that was made for old engines. */
  readonly readsArguments: boolean;
}

/** A list without nested brackets, templates and comments, and what stands before the body. */
const HEAD = /^(?:async\s*)?(?:\*\s*)?([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*\(([^()[\]{}`/]*)\)(\s*)\{/u;

const PARAMETER =
  /^(?:\.\.\.)?([\p{ID_Start}$_][\p{ID_Continue}$]*)(?:\s*=\s*(?:'[^'\\]*'|"[^"\\]*"|[\w.$-]+))?$/u;

/**
 * Reads the parameters off a method's text. Undefined where they are not plain to see, and for a function that
 * another decorator or a test has put in the method's place.
 */
export function writtenParameters(run: unknown, method: string): WrittenParameters | undefined {
  if (typeof run !== 'function') return undefined;
  const text = Function.prototype.toString.call(run);
  const [head, name, list = '', gap = ''] = HEAD.exec(text) ?? [];
  if (head === undefined || name !== method) return undefined;
  const names = list.trim() === '' ? [] : list.split(',').map((part) => PARAMETER.exec(part.trim())?.[1]);
  if (!names.every((one) => one !== undefined)) return undefined;
  return { names, isMinified: gap === '', readsArguments: /\barguments\b/.test(text) };
}
