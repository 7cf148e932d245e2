import { AdornError } from '../errors/adorn.error.js';
import { shownName } from '../names/shown-name.js';
import { suggestName, unknownOption } from '../schema/option-names.js';

/** An option of a run or a runner does not exist or has a value it cannot take, or the config is not an object. */
export class RunConfigInvalidError extends AdornError {
  readonly code = 'RUN_CONFIG_INVALID';

  static ofValue(
    name: string,
    value: unknown,
    cure = 'Give a number of at least 0, or Infinity for no limit.',
  ): RunConfigInvalidError {
    return new this(`The run's ${name} is ${shown(value)}. ${cure}`);
  }

  static ofChoice(name: string, value: unknown, valid: readonly string[]): RunConfigInvalidError {
    return this.ofValue(name, value, suggestName(value, new Set(valid)));
  }

  static ofApp(method: string, given: unknown, own: string): RunConfigInvalidError {
    return new this(
      `runner.${method}: appName is ${shown(given)}, and the runner's is ${shownName(own)}. ` +
        'Leave it out, or use a runner of that application.',
    );
  }
}

/**
 * Refuses options that do not exist.
 *
 * @param owner what takes the options, such as `runner.run`
 * @throws {RunConfigInvalidError}
 */
export function requireOptions(owner: string, options: object, names: ReadonlySet<string>): void {
  const unknown = unknownOption(options, names);
  if (unknown !== undefined) throw new RunConfigInvalidError(`${owner}: ${unknown.fault}. ${unknown.cure}`);
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return shownName(value);
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
