import { shownName } from '../names/shown-name.js';
import { nearestNames } from './nearest-names.js';

/** The names of the options of a type, every one of them. */
export function optionNames<Options>(
  names: Readonly<Record<keyof Options & string, true>>,
): ReadonlySet<string> {
  return new Set(Object.keys(names));
}

/** A fault of options and its cure, as two sentences of an error's message; the first without its period. */
export interface OptionFault {
  readonly fault: string;
  readonly cure: string;
}

/** The first option that does not exist, and the one that was probably meant. An option that is undefined counts as left out. */
export function unknownOption(options: object, names: ReadonlySet<string>): OptionFault | undefined {
  for (const name in options) {
    if (names.has(name) || (options as Record<string, unknown>)[name] === undefined) continue;
    return { fault: `there is no option ${shownName(name)}`, cure: suggestName(name, names) };
  }
  return undefined;
}

/** The nearest valid name, and all of them. */
export function suggestName(meant: unknown, names: ReadonlySet<string>): string {
  const [best] = typeof meant === 'string' ? nearestNames(meant, names) : [];
  const all = `Valid: ${[...names].join(', ')}.`;
  return best === undefined ? all : `Did you mean ${best}? ${all}`;
}
