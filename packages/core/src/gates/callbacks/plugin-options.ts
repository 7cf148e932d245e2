import { AdornError, kindOf, optionFault, type Rule } from '@adorn/schema';

/**
 * Checks the options of a plugin.
 *
 * @param owner the class that takes the options
 * @throws {PluginOptionInvalidError}
 */
export function checkPluginOptions(
  owner: string,
  options: unknown,
  rules: Readonly<Record<string, Rule>>,
): void {
  const found = optionFault(options, rules);
  if (found) throw new PluginOptionInvalidError(owner, `${found.fault}. ${found.cure}`);
}

/**
 * A test for names. `*` in a pattern stands for any characters, also none; everything else for itself.
 *
 * @param owner the option that holds the patterns
 * @throws {PluginOptionInvalidError} without a pattern, or for one that is not a text
 */
export function namePattern(owner: string, patterns: string | readonly string[]): (name: string) => boolean {
  const list: readonly unknown[] = Array.isArray(patterns) ? patterns : [patterns];
  if (list.length === 0)
    throw new PluginOptionInvalidError(owner, 'the list of names is empty. Pass at least one.');
  const matchers = list.map((pattern) => matcherOf(owner, pattern));
  return (name) => matchers.some((matches) => matches(name));
}

function matcherOf(owner: string, pattern: unknown): (name: string) => boolean {
  if (typeof pattern !== 'string' || pattern === '') {
    const found = pattern === '' ? 'an empty text' : kindOf(pattern);
    throw new PluginOptionInvalidError(
      owner,
      `a name is ${found}. Pass a name such as "refund" or "read_*".`,
    );
  }
  const [start = '', ...rest] = pattern.split('*');
  const end = rest.pop();
  return end === undefined ? (name) => name === pattern : (name) => isBetween(name, start, rest, end);
}

/** Whether a name has the parts in their order. Linear: a regular expression with many `*` is not. */
function isBetween(name: string, start: string, middle: readonly string[], end: string): boolean {
  if (!name.startsWith(start) || !name.endsWith(end)) return false;
  const last = name.length - end.length;
  let from = start.length;
  for (const part of middle) {
    const found = name.indexOf(part, from);
    if (found === -1) return false;
    from = found + part.length;
  }
  return from <= last;
}

/** An option of a plugin cannot be used. */
export class PluginOptionInvalidError extends AdornError {
  readonly code = 'PLUGIN_INVALID';

  /** @param fault what was there instead, and what to pass */
  constructor(pluginName: string, fault: string) {
    super(`${pluginName}: ${fault}`);
  }
}
