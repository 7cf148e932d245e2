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
import { ClosedTools, type OpenTools } from '../closed-tools.js';
import { isToolName } from '../tool-table.js';
import type { Tool } from '../tool.js';
import { hasTools } from '../tools-of-service.js';
import { ToolboxClosedError, ToolsetInvalidError } from './errors.js';
import { OpenPlaces } from './open-places.js';

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

/** The tools of a class, which the model gets all at once. The session's state keeps which boxes are open. */
export class Toolbox extends ClosedTools {
  readonly name: string;
  readonly tools: readonly Tool[];
  readonly openingTool: Tool;
  private readonly places: OpenPlaces;

  constructor({ agentName, name, description, tools }: ToolboxFields) {
    super();
    this.name = name;
    this.tools = tools;
    this.places = new OpenPlaces(agentName);
    this.openingTool = new FunctionTool({
      name: `open_${name}`,
      description: `${description}\n${listed(tools)}`.trim(),
      effect: 'read',
      run: (_args, { state }) => {
        this.places.open(state, [name]);
        return { opened: name, tools: tools.map((tool) => tool.name) };
      },
    });
  }

  override isOpen(context: InvocationContext): boolean {
    return this.places.find(context, this.name) !== undefined;
  }

  override opened(context: InvocationContext): readonly OpenTools[] {
    const place = this.places.find(context, this.name);
    return place === undefined ? [] : [{ place, names: this.tools.map(({ name }) => name) }];
  }

  override closedError(toolName: string): ToolboxClosedError {
    return new ToolboxClosedError(toolName, this);
  }
}

/** How many tools are named before the box is open. */
const MOST_NAMES = 12;

function listed(tools: readonly Tool[]): string {
  const names = tools.slice(0, MOST_NAMES).map(({ name }) => name);
  const more = tools.length - names.length;
  return `Call it to get these tools: ${names.join(', ')}${more > 0 ? `, and ${String(more)} more` : ''}.`;
}
