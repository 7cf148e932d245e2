import { isToolName } from '@adorn/core/backend';

const LONGEST = 64;

/**
 * Names that a model may call for the names of a server's tools, in the same order: illegal characters are replaced by
 * `_`, and names that are taken get a number.
 */
export function offeredNames(serverNames: readonly string[], prefix?: string): string[] {
  const before = prefix === undefined ? '' : `${prefix}__`;
  // A name that is legal as it is belongs to its tool, whatever comes earlier in the list.
  const taken = new Set(serverNames.map((name) => before + name).filter(isToolName));
  const given = new Set<string>();
  return serverNames.map((name) => {
    const whole = before + name;
    const isOwn = taken.has(whole) && !given.has(whole);
    const offered = isOwn ? whole : uniqueName(legalName(whole), taken);
    taken.add(offered);
    given.add(offered);
    return offered;
  });
}

function legalName(name: string): string {
  const replaced = name.replace(/[^A-Za-z0-9_.:-]/g, '_').slice(0, LONGEST);
  if (isToolName(replaced)) return replaced;
  const begun = `_${replaced}`.slice(0, LONGEST);
  return isToolName(begun) ? begun : '_tool';
}

function uniqueName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) {
    const end = `_${String(number)}`;
    const numbered = name.slice(0, LONGEST - end.length) + end;
    if (!taken.has(numbered)) return numbered;
  }
}
