import { shortened, shownName } from '../names/check-name.js';

/** How a place in the arguments is named to a model: `items[0].id`; the arguments as a whole are named so. */
export function argumentPath(steps: readonly PropertyKey[]): string {
  const path = steps.map(shownStep).reduce(joinStep, '') || 'the arguments';
  return shortened(path, LONGEST);
}

/** Paths that a model invented are truncated. */
const LONGEST = 300;

function shownStep(step: PropertyKey): string {
  return shownName(String(step));
}

function joinStep(path: string, step: string): string {
  if (/^\d+$/.test(step)) return `${path}[${step}]`;
  return path === '' ? step : `${path}.${step}`;
}

/** The steps of a JSON pointer (RFC 6901): `/items/0/a~1b` leads to `items`, `0`, `a/b`. */
export function stepsOf(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescapeStep);
}

function unescapeStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
