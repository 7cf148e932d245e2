import { optionNames, suggestName, unknownOption } from '../schema/nearest-names.js';
import type { CallableOptions } from './callable.tool.js';
import { ToolConfigInvalidError } from './errors.js';
import { checkPolicyOptions, shown } from './policy-options.js';
import type { ToolTraits } from './tool.js';

const OPTIONS = optionNames<CallableOptions & { readonly parameters: unknown; readonly run: unknown }>({
  auth: true,
  cache: true,
  checkTimeout: true,
  concurrency: true,
  confirm: true,
  description: true,
  effect: true,
  exposeErrors: true,
  idempotent: true,
  longRunning: true,
  maxResultBytes: true,
  name: true,
  parameters: true,
  rateLimit: true,
  reconcile: true,
  retry: true,
  run: true,
  sensitive: true,
  sequential: true,
  timeout: true,
  unknownArguments: true,
  untrusted: true,
});

/**
 * Refuses options that do not exist.
 *
 * @throws {ToolConfigInvalidError}
 */
export function checkOptionNames(options: CallableOptions): void {
  const unknown = unknownOption(options, OPTIONS);
  if (unknown !== undefined) throw new ToolConfigInvalidError(options.name, unknown.fault, unknown.cure);
}

const FLAGS = ['exposeErrors', 'sensitive', 'sequential', 'untrusted'] as const;
const LIMITS = ['timeout', 'checkTimeout', 'maxResultBytes'] as const;

const CHOICES = {
  effect: new Set(['read', 'write', 'destructive']),
  unknownArguments: new Set(['refuse', 'drop']),
} satisfies { readonly [Name in keyof ToolTraits]?: ReadonlySet<ToolTraits[Name]> };

/**
 * Refuses limits that are negative or not numbers, unknown choices, and invalid policies: `timeout: NaN` would never end
 * a call, and a misspelt `destructive` would not ask for confirmation.
 *
 * @param name the tool's name, if known
 * @throws {ToolConfigInvalidError}
 */
export function checkTraits(traits: ToolTraits, name: string | undefined): void {
  for (const limit of LIMITS) {
    const value: unknown = traits[limit];
    if (value === undefined || (typeof value === 'number' && value >= 0)) continue;
    const fault = `${limit} is ${shown(value)}`;
    throw new ToolConfigInvalidError(name, fault, 'Pass a number of at least 0, or Infinity for no limit.');
  }
  for (const flag of FLAGS) {
    const value: unknown = traits[flag];
    if (value === undefined || typeof value === 'boolean') continue;
    throw new ToolConfigInvalidError(name, `${flag} is ${shown(value)}`, 'Pass true or false.');
  }
  for (const choice of Object.keys(CHOICES) as (keyof typeof CHOICES)[]) {
    const value: unknown = traits[choice];
    const valid: ReadonlySet<unknown> = CHOICES[choice];
    if (value === undefined || valid.has(value)) continue;
    throw new ToolConfigInvalidError(
      name,
      `${choice} is ${shown(value)}`,
      suggestName(value, CHOICES[choice]),
    );
  }
  if (!isLongRunningOption(traits.longRunning)) {
    const fault = `longRunning is ${shown(traits.longRunning)}`;
    throw new ToolConfigInvalidError(name, fault, 'Pass true, false or { announce: true }.');
  }
  checkPolicyOptions(traits, name);
}

function isLongRunningOption(option: unknown): boolean {
  if (option === undefined || typeof option === 'boolean') return true;
  return (
    typeof option === 'object' &&
    option !== null &&
    'announce' in option &&
    typeof option.announce === 'boolean'
  );
}
