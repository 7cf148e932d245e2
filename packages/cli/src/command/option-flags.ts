import type { Parameter } from './parameter.js';

/** `olderThan` is `--older-than`; a negated `install` is `--no-install`. */
export function longFlag(name: string, { isNegated = false }: Parameter): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `--${isNegated ? 'no-' : ''}${words}`;
}

/** As help shows it: `-p, --project <tsconfig>`. */
export function shownFlags(name: string, parameter: Parameter): string {
  const { short, placeholder } = parameter;
  const flags = [...(short === undefined ? [] : [`-${short}`]), longFlag(name, parameter)].join(', ');
  return placeholder === undefined ? flags : `${flags} ${placeholder}`;
}
