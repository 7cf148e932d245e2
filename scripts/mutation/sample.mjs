import { createHash } from 'node:crypto';

/** The word for a mutant that was not tried: it is none of the states that a test leads to. */
export const NOT_IN_SAMPLE = 'CompileError';

/**
 * Whether a mutant is one of those that are tried, of which there is one in every `every`: sample number `part` of as
 * many that do not overlap. It depends on the mutant and its place in its own file alone, so that other files can
 * change and the sample stays.
 *
 * @param {{ mutatorName: string, replacement?: string, location: { start: { line: number, column: number } } }} mutant
 * @param {string} path of the file, from the root of the repository
 * @param {{ every: number, part: number }} sample
 */
export function isInSample(mutant, path, { every, part }) {
  const { line, column } = mutant.location.start;
  const words = [path, mutant.mutatorName, mutant.replacement, String(line), String(column)].join('\0');
  return createHash('sha256').update(words).digest().readUInt32BE(0) % every === part;
}
