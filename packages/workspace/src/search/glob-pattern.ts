import { ToolError } from '@adorn/core';
import picomatch from 'picomatch';

/** The longest pattern, in characters. */
export const LONGEST_PATTERN = 500;

/**
 * The source of a regular expression for a pattern of paths. Names may begin with a dot.
 *
 * @throws {ToolError} if the pattern is too long, or is none
 */
export function globSource(pattern: string): string {
  if (pattern.length > LONGEST_PATTERN)
    throw new ToolError(`The pattern has more than ${String(LONGEST_PATTERN)} characters.`);
  try {
    return picomatch.makeRe(pattern.replace(/^\.?\//, ''), { dot: true, noextglob: true }).source;
  } catch (cause) {
    throw new ToolError('The pattern cannot be read. Use *, ?, **, {a,b} and [abc].', { cause });
  }
}
