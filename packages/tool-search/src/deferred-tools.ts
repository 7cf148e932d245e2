import type { InvocationContext, Tool, ToolContext, Toolset } from '@adorn/core';
import { ClosedTools, type ClosedToolMaterials, OpenPlaces, type OpenTools } from '@adorn/core/backend';

import { ToolNotFoundYetError } from './errors.js';
import type { SearchableOptions } from './options.js';
import { type FoundTools, searchTool } from './search-tools.tool.js';
import { ToolSearch } from './tool-search.js';

/** How many found tools a conversation keeps, by default. */
const KEPT = 40;

/** How many further tools a search names. */
const NAMED = 15;

/**
 * The searched tools of one agent. The state of the session has a key for each that was found, with its place among them: found
 * tools are declared in the order of finding, so that a provider's cache of the declarations before stays valid.
 */
export class DeferredTools extends ClosedTools {
  readonly name: string;
  readonly openingTool: Tool;
  readonly tools: readonly Tool[];
  private readonly materials: ClosedToolMaterials;
  private readonly search: ToolSearch;
  private readonly keep: number;
  private readonly places: OpenPlaces;

  constructor(materials: ClosedToolMaterials, options: SearchableOptions) {
    super();
    const { name = 'search_tools', keep = KEPT, embedder } = options;
    this.name = name;
    this.materials = materials;
    this.tools = materials.tools;
    this.keep = keep;
    this.search = new ToolSearch(embedder);
    this.places = new OpenPlaces(materials.agentName);
    this.openingTool = searchTool({ ...options, name }, (query, limit, context) =>
      this.find(query, Math.min(limit, keep), context),
    );
  }

  override get toolsets(): readonly Toolset[] {
    return this.materials.toolsets;
  }

  override isOpen(context: InvocationContext, toolName: string): boolean {
    return this.places.find(context, this.keyOf(toolName)) !== undefined;
  }

  override opened({ session }: InvocationContext): readonly OpenTools[] {
    return this.places
      .list(session.state, this.keyOf(''))
      .map(({ name, place }) => ({ place, names: [name] }));
  }

  override closedError(toolName: string): ToolNotFoundYetError {
    return new ToolNotFoundYetError(toolName, this.name);
  }

  override hintFor(context: InvocationContext, toolName: string): string {
    return this.isOpen(context, toolName)
      ? `It was found before, and its source does not have it any more. Call ${this.name} to find another.`
      : `Call ${this.name} to find tools that are not listed.`;
  }

  private keyOf(toolName: string): string {
    // eslint-disable-next-line adorn/composed-keys -- a name of `searchable` has no colon
    return `${this.name}:${toolName}`;
  }

  private async find(query: string, limit: number, context: ToolContext): Promise<FoundTools> {
    const { tools, unavailable } = await this.materials.list(context);
    const ranked = await this.search.find(query, tools, { limit: limit + NAMED, context });
    const found = ranked.slice(0, limit);
    // A source that cannot be listed now may have its tools still.
    const gone = unavailable.length > 0 ? [] : this.closeGone(tools, context);
    this.open(found, context);
    return { found, more: ranked.slice(limit), unavailable, gone };
  }

  /** Opens what was found. At the limit, those go that were found first: at this moment the cache of what follows is lost anyway. */
  private open(found: readonly Tool[], { state }: ToolContext): void {
    const names = found.map(({ name }) => name);
    const before = this.namesIn(state);
    const added = this.places.open(
      state,
      names.map((name) => this.keyOf(name)),
    );
    const excess = before.length + added.length - this.keep;
    const oldest = before.filter((name) => !names.includes(name)).slice(0, Math.max(0, excess));
    this.places.close(
      state,
      oldest.map((name) => this.keyOf(name)),
    );
  }

  /** Forgets found tools that their sources do not have any more. @returns their names */
  private closeGone(tools: readonly Tool[], { state }: ToolContext): string[] {
    const present = new Set(tools.map(({ name }) => name));
    const gone = this.namesIn(state).filter((name) => !present.has(name));
    this.places.close(
      state,
      gone.map((name) => this.keyOf(name)),
    );
    return gone;
  }

  private namesIn(state: ToolContext['state']): string[] {
    const entries = Object.fromEntries(state.entries());
    return this.places.list(entries, this.keyOf('')).map(({ name }) => name);
  }
}
