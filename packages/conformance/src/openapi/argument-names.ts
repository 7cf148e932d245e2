import type { DescribedParameter } from './described-operations.js';

/**
 * The arguments of a tool that stand for the parameters of an operation, by their names alone: letters and digits are the
 * same, with the place before them where two would be alike.
 */
export function argumentNames(
  parameters: readonly DescribedParameter[],
  declared: readonly string[],
): readonly (string | undefined)[] {
  const free = declared.filter((name) => name !== 'body');
  const exact = parameters.map(({ name }) => take(free, (one) => plain(one) === plain(name)));
  return parameters.map(
    ({ place, name }, index) =>
      exact[index] ??
      take(free, (one) => plain(one).startsWith(plain(`${place}${name}`))) ??
      take(free, (one) => plain(name).startsWith(plain(one)) && one.length >= LONGEST - 1),
  );
}

/** Longer names are cut. */
const LONGEST = 50;

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function take(free: string[], isWanted: (name: string) => boolean): string | undefined {
  const index = free.findIndex(isWanted);
  return index === -1 ? undefined : free.splice(index, 1)[0];
}
