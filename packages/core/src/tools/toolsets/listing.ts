import { kindOf, shownName, composedKey, optionNames, unknownOption } from '@adorn/schema';
import { scopeKey } from '../policies/policy.js';
import type { Tool } from '../tool.js';
import type { CacheScope } from '../tool-traits.js';
import { ToolsetInvalidError } from './errors.js';
import type { Toolset, ToolsetContext } from './toolset.js';

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
   * The scope in which a list is shared until the toolset reports a change: the whole `app`, or one `user`, `session`
   * or `invocation`. Lists of a toolset with `auth` are never shared between users. Default: lists are not kept, and
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

/**
 * Lists the tools of a toolset, or returns a kept list that is still valid.
 *
 * @throws {ToolsetInvalidError} if the list contains anything but tools
 */
export async function listTools(toolset: Toolset, context: ToolsetContext): Promise<readonly Tool[]> {
  const scope = toolset.listing?.keepFor;
  if (scope === undefined) return requireTools(toolset, await toolset.listTools(context));
  let lists = kept.get(toolset);
  if (lists === undefined) kept.set(toolset, (lists = new KeptLists(toolset)));
  return lists.find(scope, context);
}

const kept = new WeakMap<Toolset, KeptLists>();

/** The maximum number of kept lists of one toolset. */
const MOST_LISTS = 1_000;

/** The lists of one toolset, until it changes. */
class KeptLists {
  private readonly lists = new Map<string, readonly Tool[]>();
  private revision = 0;

  constructor(private readonly toolset: Toolset) {
    toolset.onChange(() => {
      this.revision++;
      this.lists.clear();
    });
  }

  async find(scope: CacheScope, context: ToolsetContext): Promise<readonly Tool[]> {
    const { toolset, revision } = this;
    const widest = scope === 'app' && toolset.auth !== undefined ? 'user' : scope;
    const key = composedKey(context.agentName, scopeKey(widest, context));
    const known = this.lists.get(key);
    if (known !== undefined) return known;
    const listed = [...requireTools(toolset, await toolset.listTools(context))];
    // A list that changed during the listing is used once and not kept.
    if (revision === this.revision) this.keep(key, listed);
    return listed;
  }

  private keep(key: string, listed: readonly Tool[]): void {
    if (this.lists.size >= MOST_LISTS) this.lists.delete(this.lists.keys().next().value as string);
    this.lists.set(key, listed);
  }
}

function requireTools(toolset: Toolset, listed: unknown): readonly Tool[] {
  const name = toolset.constructor.name;
  const cure = 'Return an array of Tool objects, such as FunctionTool.';
  if (!Array.isArray(listed))
    throw new ToolsetInvalidError(`listTools of ${name} returned ${kindOf(listed)}`, cure);
  for (const [index, tool] of (listed as unknown[]).entries()) {
    if (isTool(tool)) continue;
    const fault = `entry ${String(index)} of the list of ${name} is ${kindOf(tool)} and not a Tool`;
    throw new ToolsetInvalidError(fault, cure);
  }
  return listed as Tool[];
}

/** A tool of another copy of this package is accepted too. */
function isTool(value: unknown): value is Tool {
  if (typeof value !== 'object' || value === null) return false;
  const { name, declaration, run, traits } = value as Partial<Tool>;
  const isWhole = typeof declaration === 'function' && typeof run === 'function';
  return isWhole && typeof name === 'string' && typeof traits === 'object';
}
