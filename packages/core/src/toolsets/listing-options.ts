import { kindOf } from '../errors/describe-thrown.js';
import { shownName } from '../names/check-name.js';
import { optionNames, unknownOption } from '../schema/nearest-names.js';
import type { CacheScope } from '../tools/policy-options.js';
import { ToolsetInvalidError } from './errors.js';

/** How the tools of a toolset are listed. */
export interface ListingOptions {
  /**
   * True if the agent cannot work without the tools: a listing that fails ends the run with an event `TOOLSET_FAILED`.
   * Default: false, the run goes on without the tools.
   */
  readonly required?: boolean;
  /** Time limit of a listing in milliseconds; `Infinity` for none. Default: 30,000. */
  readonly timeout?: number;
  /**
   * Who shares a list until the toolset says that it has changed: the whole `app`, or one `user`, `session` or
   * `invocation`. Lists of a toolset with `auth` are never shared between users. Default: no list is kept, and
   * `listTools` is called before each model call.
   */
  readonly keepFor?: CacheScope;
}

const LISTING_OPTIONS = optionNames<ListingOptions>({ required: true, timeout: true, keepFor: true });
const SCOPES: readonly unknown[] = ['app', 'user', 'session', 'invocation'] satisfies CacheScope[];

/**
 * Refuses options of a listing that do not exist, or have a value that cannot be used.
 *
 * @throws {ToolsetInvalidError}
 */
export function checkListing(toolset: string, given: unknown): void {
  if (given === undefined) return;
  const name = `listing of the toolset ${toolset}`;
  if (typeof given !== 'object' || given === null)
    throw new ToolsetInvalidError(
      `${name} is ${kindOf(given)}`,
      'Set an object, such as { required: true }.',
    );
  const unknown = unknownOption(given, LISTING_OPTIONS);
  if (unknown !== undefined) throw new ToolsetInvalidError(`${name}: ${unknown.fault}`, unknown.cure);
  const { required, timeout, keepFor }: Record<keyof ListingOptions, unknown> = given as never;
  if (required !== undefined && typeof required !== 'boolean')
    throw new ToolsetInvalidError(`${name}: required is ${kindOf(required)}`, 'Set true or false.');
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0))
    throw new ToolsetInvalidError(
      `${name}: timeout is ${typeof timeout === 'number' ? String(timeout) : kindOf(timeout)}`,
      'Set a number of milliseconds above 0, or Infinity.',
    );
  if (keepFor !== undefined && !SCOPES.includes(keepFor))
    throw new ToolsetInvalidError(
      `${name}: keepFor is ${typeof keepFor === 'string' ? `"${shownName(keepFor)}"` : kindOf(keepFor)}`,
      `Set one of ${SCOPES.join(', ')}.`,
    );
}
