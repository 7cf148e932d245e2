import { parseArgs, type ParseArgsConfig } from 'node:util';

import { messageOf } from '../message-of.js';
import { UsageError } from './usage.error.js';

/**
 * Node's `parseArgs`.
 *
 * @throws {UsageError} where it throws: for a flag that there is not, or one without its value
 */
export function readFlags<Config extends ParseArgsConfig>(
  args: readonly string[],
  config: Config,
): ReturnType<typeof parseArgs<Config & { args: string[] }>> {
  try {
    return parseArgs({ ...config, args: [...args] });
  } catch (error) {
    throw new UsageError(`${messageOf(error)}.`);
  }
}
