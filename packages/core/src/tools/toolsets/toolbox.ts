import {
  BOOLEAN,
  type ClassReference,
  defineSlot,
  optionFault,
  type OptionRules,
  rule,
  TEXT,
  updateOwnMetadata,
} from '@adorn/schema';
import type { InvocationContext } from '../../run/invocation-context.js';
import { FunctionTool } from '../function.tool.js';
import { refuseStandardCall, type StandardDecoratorCall } from '../tool.decorator.js';
import type { ToolContext } from '../tool-context.js';
import { type ClosedTools, isToolName } from '../tool-table.js';
import type { Tool } from '../tool.js';
import { hasTools } from '../tools-of-service.js';
import { ToolsetInvalidError } from './errors.js';

/** The options of `@toolbox`. */
export interface ToolboxOptions {
  /**
   * True if the model first gets one function, `open_` and the class's name in snake_case. Once it has called this
   * function, it gets the tools for the rest of the conversation. Default: false.
   */
  readonly unfold?: boolean;
  /** The prefix of the names of the tools: with `old`, `findOrder` is offered as `old_find_order`. Default: none. */
  readonly prefix?: string;
  /** The description of the toolbox for the model. Default: the class's doc comment. */
  readonly description?: string;
}

/** Every option with the rule of its value. */
const OPTIONS: OptionRules<ToolboxOptions> = {
  unfold: BOOLEAN,
  prefix: rule(
    (value) => typeof value === 'string' && isToolName(value),
    'Pass a text that starts with a letter or an underscore, followed by letters, digits, _ . : or -.',
  ),
  description: TEXT,
};

/** The options of a class; its own take precedence over inherited ones. */
export const TOOLBOX = defineSlot<ToolboxOptions>({
  name: 'toolbox',
  empty: () => ({}),
  overlay: (inherited, own) => ({ ...inherited, ...own }),
});

/**
 * Sets how the tools of a service class are offered to the model.
 *
 * @example
 * @toolbox({ unfold: true, description: 'Orders of the shop: find, cancel, refund.' })
 * class Orders { … }
 * @throws {ToolsetInvalidError} if the class has no tools, or an option does not exist or has another type
 * @throws {ExperimentalDecoratorsMissingError} if the file was compiled without `experimentalDecorators`
 */
export function toolbox(options?: ToolboxOptions): StandardDecoratorCall & ((target: ClassReference) => void);
export function toolbox(options: ToolboxOptions = {}): (target: ClassReference, context?: unknown) => void {
  return (target, context) => {
    refuseStandardCall('toolbox', context);
    if (!hasTools(target))
      throw new ToolsetInvalidError(
        `@toolbox decorates ${target.name}, which has no @tool methods`,
        'Decorate a service class with tools.',
      );
    requireOptions(target.name, options);
    updateOwnMetadata(target, TOOLBOX, () => options);
  };
}

function requireOptions(className: string, options: ToolboxOptions): void {
  const found = optionFault(options, OPTIONS);
  if (found !== undefined)
    throw new ToolsetInvalidError(`@toolbox of ${className}: ${found.fault}`, found.cure);
}

/** What a toolbox is made of. */
interface ToolboxFields {
  /** The agent that has the box: each agent opens its own. */
  readonly agentName: string;
  /** The class in snake_case. */
  readonly name: string;
  readonly description: string;
  readonly tools: readonly Tool[];
}

/** Tools that the model gets once it has called the function that opens them. The session's state keeps which are open. */
export class Toolbox implements ClosedTools {
  readonly name: string;
  readonly tools: readonly Tool[];
  /** The function that the model is offered in place of the tools. */
  readonly openingTool: Tool;
  /** The key of the state; its value is the place of this box among the open ones, from 1. */
  private readonly key: string;

  constructor({ agentName, name, description, tools }: ToolboxFields) {
    const prefix = `toolbox:${agentName}:`;
    this.name = name;
    this.tools = tools;
    this.key = prefix + name;
    this.openingTool = new FunctionTool({
      name: `open_${name}`,
      description: `${description}\n${listed(tools)}`.trim(),
      effect: 'read',
      run: (_args, context) => this.open(context, prefix),
    });
  }

  get opener(): string {
    return this.openingTool.name;
  }

  isOpen(context: InvocationContext): boolean {
    return this.placeIn(context) !== undefined;
  }

  /** The place among the boxes that were opened, from 1; undefined for a closed box. */
  placeIn(context: InvocationContext): number | undefined {
    const place = context.findStored(this.key);
    return typeof place === 'number' ? place : undefined;
  }

  private open({ state }: ToolContext, prefix: string): object {
    if (typeof state.get(this.key) !== 'number') {
      const places = state.entries().map(([key, place]) => (key.startsWith(prefix) ? Number(place) : 0));
      state.set(this.key, 1 + places.reduce((last, place) => (place > last ? place : last), 0));
    }
    return { opened: this.name, tools: this.tools.map(({ name }) => name) };
  }
}

/** How many tools are named before the box is open. */
const MOST_NAMES = 12;

function listed(tools: readonly Tool[]): string {
  const names = tools.slice(0, MOST_NAMES).map(({ name }) => name);
  const more = tools.length - names.length;
  return `Call it to get these tools: ${names.join(', ')}${more > 0 ? `, and ${String(more)} more` : ''}.`;
}

/** The lists of opened tools, by the boxes they are of: the same list is declared with the same objects. */
const lists = new WeakMap<readonly Toolbox[], Map<string, readonly Tool[]>>();

/** How many combinations of open boxes are kept for an agent. */
const MOST_LISTS = 64;

/** The tools of the open boxes, in the order in which the boxes were opened. */
export function openedTools(boxes: readonly Toolbox[], context: InvocationContext): readonly Tool[] {
  const open = boxes
    .map((box, index) => ({ box, index, place: box.placeIn(context) ?? 0 }))
    .filter(({ place }) => place > 0)
    .sort((one, other) => one.place - other.place);
  if (open.length === 0) return NONE;
  const known = lists.get(boxes) ?? new Map<string, readonly Tool[]>();
  lists.set(boxes, known);
  const key = open.map(({ index }) => index).join();
  let tools = known.get(key);
  if (tools === undefined) {
    tools = open.flatMap(({ box }) => box.tools);
    if (known.size >= MOST_LISTS) known.delete(known.keys().next().value as string);
    known.set(key, tools);
  }
  return tools;
}

const NONE: readonly Tool[] = Object.freeze([]);
