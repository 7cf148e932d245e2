import { kindOf, shownName } from '@adorn/schema';
import type { FunctionDeclaration } from '../../events/genai-types.js';
import { shareClass } from '../../metadata/shared-class.js';
import { WrappedTool } from '../policies/wrapped.tool.js';
import type { Awaitable } from '../../runtime/awaitable.js';
import { isToolName } from '../tool-table.js';
import type { Tool } from '../tool.js';
import { ToolsetInvalidError } from './errors.js';
import { listTools } from './listing.js';
import { Toolset, type ToolsetContext } from './toolset.js';

/** Which tools of a toolset are offered: those with these names, or those for which the function returns true. */
export type ToolFilter = readonly string[] | ((tool: Tool, context: ToolsetContext) => boolean);

/**
 * Wraps a toolset so that only some of its tools are offered: the others are neither shown to the model nor callable.
 *
 * @param filter the names of the tools as the toolset lists them, or a function of the tool and the context
 * @throws {ToolsetInvalidError} if the toolset or the filter has another type
 * @example
 * withFilter(files, ['read_file', 'list_files'])
 * withFilter(files, ({ traits }) => traits.effect === 'read')
 */
export function withFilter(toolset: Toolset, filter: ToolFilter): Toolset {
  return new FilteredToolset(requireToolset('withFilter', toolset), filter);
}

/**
 * Wraps a toolset so that its tools have a prefix: with the prefix `files`, `read` is offered as `files_read`.
 *
 * @throws {ToolsetInvalidError} if the toolset has another type, or a tool name cannot start with the prefix
 */
export function withPrefix(toolset: Toolset, prefix: string): Toolset {
  return new PrefixedToolset(requireToolset('withPrefix', toolset), prefix);
}

function requireToolset(wrapper: string, toolset: unknown): Toolset {
  if (toolset instanceof Toolset) return toolset;
  throw new ToolsetInvalidError(
    `${wrapper} was called with ${kindOf(toolset)}, which is not a Toolset`,
    'Pass an instance of a class that extends Toolset, such as new StaticToolset([tool]).',
  );
}

/** The toolset inside all wrappers. */
export function innermost(toolset: Toolset): Toolset {
  return toolset instanceof WrappedToolset ? innermost(toolset.inner) : toolset;
}

/** The class of a toolset, for events and errors. */
export function nameOfToolset(toolset: Toolset): string {
  return innermost(toolset).constructor.name;
}

/** Lists and closes the wrapped toolset, with its credential and time limit. */
abstract class WrappedToolset extends Toolset {
  static {
    shareClass(this, 'WrappedToolset');
  }

  constructor(readonly inner: Toolset) {
    super();
    const { auth, listing } = inner;
    // Only the list of the wrapped toolset is kept: the result of this one may depend on the context.
    Object.assign(this, { auth, listing: listing && { ...listing, keepFor: undefined } });
  }

  async listTools(context: ToolsetContext): Promise<readonly Tool[]> {
    return this.change(await listTools(this.inner, context), context);
  }

  protected abstract change(tools: readonly Tool[], context: ToolsetContext): readonly Tool[];

  override close(): Awaitable<void> {
    return this.inner.close();
  }

  override onChange(listener: () => void): () => void {
    return this.inner.onChange(listener);
  }
}

class FilteredToolset extends WrappedToolset {
  private readonly names: ReadonlySet<string> | undefined;
  /** Missing names that were logged already. */
  private readonly missing = new Set<string>();

  constructor(
    inner: Toolset,
    private readonly filter: ToolFilter,
  ) {
    super(inner);
    if (typeof filter === 'function') return;
    const names: unknown = filter;
    if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) {
      throw new ToolsetInvalidError(
        `withFilter was called with ${kindOf(filter)} as its filter`,
        "Pass names of tools, such as ['read_file'], or a function of a tool that returns true or false.",
      );
    }
    this.names = new Set(names);
  }

  protected change(tools: readonly Tool[], context: ToolsetContext): readonly Tool[] {
    const { filter, names } = this;
    if (names !== undefined) this.warnOfMissing(names, tools, context);
    return tools.filter((tool) =>
      typeof filter === 'function' ? this.decide(filter(tool, context)) : names?.has(tool.name) === true,
    );
  }

  /** Refuses a promise, which would accept every tool. */
  private decide(decision: unknown): boolean {
    if (typeof decision === 'boolean') return decision;
    const given = decision instanceof Promise ? 'a promise' : kindOf(decision);
    throw new ToolsetInvalidError(
      `The filter of ${nameOfToolset(this)} returned ${given}`,
      'Return true or false. What needs to be waited for belongs into listTools.',
    );
  }

  private warnOfMissing(names: ReadonlySet<string>, tools: readonly Tool[], context: ToolsetContext): void {
    for (const name of names) {
      if (this.missing.has(name) || tools.some((tool) => tool.name === name)) continue;
      this.missing.add(name);
      context.logger.warn('withFilter names a tool that its toolset does not list', {
        toolset: nameOfToolset(this),
        tool: name,
      });
    }
  }
}

class PrefixedToolset extends WrappedToolset {
  /** One object per tool, so that its compiled check is reused. */
  private readonly prefixed = new WeakMap<Tool, Tool>();

  constructor(
    inner: Toolset,
    private readonly prefix: string,
  ) {
    super(inner);
    const given: unknown = prefix;
    if (typeof given === 'string' && isToolName(given)) return;
    throw new ToolsetInvalidError(
      `withPrefix was called with ${typeof given === 'string' ? `"${shownName(given)}"` : kindOf(given)} as its prefix`,
      'Pass a text that starts with a letter or an underscore, followed by letters, digits, _ . : or -.',
    );
  }

  protected change(tools: readonly Tool[]): readonly Tool[] {
    return tools.map((tool) => {
      let prefixed = this.prefixed.get(tool);
      if (prefixed === undefined) this.prefixed.set(tool, (prefixed = new PrefixedTool(tool, this.prefix)));
      return prefixed;
    });
  }
}

/** A tool whose name has a prefix. */
export class PrefixedTool extends WrappedTool {
  private prefixedUndo: Tool | undefined;

  constructor(
    inner: Tool,
    private readonly prefix: string,
  ) {
    super(inner, {});
  }

  override get name(): string {
    return `${this.prefix}_${this.inner.name}`;
  }

  override declaration(): FunctionDeclaration | undefined {
    const declaration = this.inner.declaration();
    return declaration && { ...declaration, name: this.name };
  }

  override get undo(): Tool | undefined {
    const { undo } = this.inner;
    return undo && (this.prefixedUndo ??= new PrefixedTool(undo, this.prefix));
  }

  override get definition(): unknown {
    return [this.name, this.inner.definition];
  }
}
