/** How a place in the arguments is named to a model: `items[0].id`; the arguments as a whole are named so. */
export function argumentPath(steps: readonly PropertyKey[]): string {
  return steps.map(String).reduce(joinStep, '') || 'the arguments';
}

function joinStep(path: string, step: string): string {
  if (/^\d+$/.test(step)) return `${path}[${step}]`;
  return path === '' ? step : `${path}.${step}`;
}
