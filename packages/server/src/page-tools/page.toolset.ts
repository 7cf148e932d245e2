import {
  FunctionTool,
  type ModelRequest,
  type ReadonlyContext,
  Tool,
  Toolset,
  type ToolsetContext,
} from '@adorn/core';
import {
  canonicalJson,
  checkOptions,
  dataContent,
  type OptionRules,
  rule,
  type ToolTraits,
} from '@adorn/core/backend';

import { askedOfPage } from './page-results.js';
import {
  isPageFact,
  isPageTool,
  PAGE_CONTEXT,
  PAGE_TOOLS,
  type PageFact,
  type PageTool,
} from './page-tools.js';

/** The options of `pageTools`. */
export interface PageToolsOptions {
  /** The names of the tools that a page may declare. Default: all. */
  readonly allow?: readonly string[];
  /** What the tools do, as far as Adorn has to know it. Default: `write`. */
  readonly effect?: ToolTraits['effect'];
  /** Whether to ask a person before a call reaches the page: for all, or by the name of the tool. Default: false. */
  readonly confirm?: boolean | ((tool: string, args: Readonly<Record<string, unknown>>) => boolean | string);
}

const RULES: OptionRules<PageToolsOptions> = {
  allow: rule(
    (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
    "Pass a list of names, such as ['set_theme'].",
  ),
  effect: rule(
    (value) => ['read', 'write', 'destructive'].includes(value as string),
    "Pass 'read', 'write' or 'destructive'.",
  ),
  confirm: rule(
    (value) => ['boolean', 'function'].includes(typeof value),
    'Pass true, false, or a function of the name and the arguments.',
  ),
};

/**
 * The tools that a page declares for its conversation and runs itself: the `tools` of AG-UI (the actions of CopilotKit) and of
 * `useChat`. A call waits until the page has sent its result, also in another process; it passes the gates before the page
 * is told of it. Agents without this toolset ignore what pages declare. What the page says of itself, the `context` of AG-UI,
 * is read behind the conversation, as data.
 *
 * Names and descriptions come from the page, so from whoever uses it: `allow` names those that may be declared.
 *
 * @throws {OptionInvalidError}
 * @example
 * @agent({ tools: [pageTools({ allow: ['set_theme', 'open_order'] })] })
 * class Desk extends LlmAgent {}
 */
export function pageTools(options: PageToolsOptions = {}): PageToolset {
  return new PageToolset(options);
}

/** See `pageTools`. */
export class PageToolset extends Toolset {
  private readonly context = new PageContextTool();
  /** The same object for the same declaration: a new one would be compiled again. */
  private readonly known = new Map<string, Tool>();

  constructor(private readonly options: PageToolsOptions = {}) {
    super();
    checkOptions('pageTools', options, RULES);
  }

  override listTools({ state }: ToolsetContext): readonly Tool[] {
    const { allow } = this.options;
    const declared = listIn(state.get(PAGE_TOOLS)).filter(isPageTool);
    const allowed = declared.filter(({ name }) => allow === undefined || allow.includes(name));
    return [...allowed.map((tool) => this.toolOf(tool)), this.context];
  }

  private toolOf(declared: PageTool): Tool {
    const key = canonicalJson(declared);
    const known = this.known.get(key);
    if (known) return known;
    const { effect = 'write', confirm = false } = this.options;
    const { name, description, parameters } = declared;
    const tool = new FunctionTool({
      ...{ name, description, parameters, effect, longRunning: true },
      confirm: typeof confirm === 'function' ? (args) => confirm(name, args) : confirm,
      run: (args) => askedOfPage(args),
    });
    if (this.known.size >= MOST_KNOWN) this.known.clear();
    this.known.set(key, tool);
    return tool;
  }
}

/** How many declarations are kept, of all pages together. */
const MOST_KNOWN = 1_000;

/** Shows what the page tells about itself; a model cannot call it. */
class PageContextTool extends Tool {
  readonly name = 'page_context';
  readonly description = 'What the page tells about itself.';

  declaration(): undefined {
    return undefined;
  }

  run(): never {
    throw new Error('page_context is never declared.');
  }

  override processRequest(request: ModelRequest, { state }: ReadonlyContext): void {
    const facts = listIn(state.get(PAGE_CONTEXT)).filter(isPageFact);
    const shown = dataContent('The page of the user shows this now.', facts.map(factOf));
    if (shown) request.contents = [...request.contents, shown];
  }
}

function factOf({ description, value }: PageFact): object {
  return { [description]: value };
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
