import { AdornError } from '../errors/adorn.error.js';
import { nearestNames } from '../schema/nearest-names.js';
import { shownName } from '../names/shown-name.js';

/** An option of a run or a runner does not exist or has a value it cannot take, or its config is not an object. */
export class RunConfigInvalidError extends AdornError {
  readonly code = 'RUN_CONFIG_INVALID';

  constructor(name: string, value: unknown, cure = 'Give a number of at least 0, or Infinity for no limit.') {
    super(`The run's ${name} is ${shown(value)}. ${cure}`);
  }

  /** @param owner the object that holds the option, such as `config` */
  static ofName(owner: string, name: string, valid: readonly string[]): RunConfigInvalidError {
    const cure = `${owner} has no such option. ${nearest(name, valid)}`;
    return new RunConfigInvalidError(`option ${shownName(name)}`, 'unknown', cure);
  }

  static ofChoice(name: string, value: unknown, valid: readonly string[]): RunConfigInvalidError {
    return new RunConfigInvalidError(name, value, nearest(value, valid));
  }
}

function nearest(meant: unknown, valid: readonly string[]): string {
  const [best] = typeof meant === 'string' ? nearestNames(meant, valid) : [];
  const all = `Valid: ${valid.join(', ')}.`;
  return best === undefined ? all : `Did you mean ${best}? ${all}`;
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return shownName(value);
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
