/** What a function of a Gemini request may be called, dots left aside: not every model takes them. */
export const LEGAL_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

const LONGEST = 64;

/** A legal name for each published one, in their order, no two alike. A legal one stays where it is the first. */
export function legalNames(published: readonly string[]): string[] {
  const taken = new Set<string>();
  return published.map((name) => {
    const legal = freeName(legalName(name), taken);
    taken.add(legal);
    return legal;
  });
}

function legalName(name: string): string {
  const legal = name.replace(/[^A-Za-z0-9_-]/g, '_');
  return (/^[A-Za-z_]/.test(legal) ? legal : `_${legal}`).slice(0, LONGEST);
}

function freeName(wished: string, taken: ReadonlySet<string>): string {
  let name = wished;
  for (let number = 2; taken.has(name); number += 1) {
    const suffix = `_${String(number)}`;
    name = wished.slice(0, LONGEST - suffix.length) + suffix;
  }
  return name;
}
