/** One thing that was looked at, and what is wrong with it, if anything. */
export interface Check {
  readonly what: string;
  readonly fault?: string | undefined;
}

/** Checks of one kind, counted together. */
export interface CheckGroup {
  readonly name: string;
  readonly checks: readonly Check[];
}

/** One line of the table: everything that was looked at in one way. */
export interface Section {
  readonly name: string;
  readonly groups: readonly CheckGroup[];
  readonly ms: number;
  /** What was not looked at, and why. */
  readonly leftOut?: readonly string[];
  /** Lines of a table of its own, printed below the line. */
  readonly table?: readonly string[];
}

/** Does the work of one line and notes how long it took. */
export async function timed(name: string, work: () => Promise<readonly CheckGroup[]>): Promise<Section> {
  const begun = performance.now();
  const groups = await work();
  return { name, groups, ms: performance.now() - begun };
}

/** The checks that found something. */
export function failuresOf(checks: readonly Check[]): Check[] {
  return checks.filter(({ fault }) => fault !== undefined);
}
