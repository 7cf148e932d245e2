import { kindOf } from '../errors/describe-thrown.js';
import { type ClassReference, defineSlot, updateOwnMetadata } from '../metadata/class-metadata.js';
import { optionNames, unknownOption } from '../schema/nearest-names.js';
import { shownName } from '../names/check-name.js';
import { refuseStandardCall } from '../tools/refuse-standard-call.js';
import { isToolName } from '../tools/tool-name.js';
import { hasTools } from '../tools/tools-of-service.js';
import { ToolsetInvalidError } from './errors.js';

/** The options of `@toolbox`. */
export interface ToolboxOptions {
  /**
   * True if the model gets one function in place of the tools, `open_` and the class's name in snake_case, and the tools
   * once it has called this function, for the rest of the conversation. Default: false.
   */
  readonly unfold?: boolean;
  /** Stands before the names of the tools: with `old`, `findOrder` is offered as `old_find_order`. Default: none. */
  readonly prefix?: string;
  /** What the box holds, for the model. Default: the class's doc comment. */
  readonly description?: string;
}

const OPTIONS = optionNames<ToolboxOptions>({ unfold: true, prefix: true, description: true });

/** The options of a class with tools, its own over those that it inherits. */
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
  const name = `@toolbox of ${className}`;
  const unknown = unknownOption(options, OPTIONS);
  if (unknown !== undefined) throw new ToolsetInvalidError(`${name}: ${unknown.fault}`, unknown.cure);
  const { unfold, prefix, description }: Record<keyof ToolboxOptions, unknown> = options as never;
  if (unfold !== undefined && typeof unfold !== 'boolean')
    throw new ToolsetInvalidError(`${name}: unfold is ${kindOf(unfold)}`, 'Set true or false.');
  if (prefix !== undefined && !(typeof prefix === 'string' && isToolName(prefix)))
    throw new ToolsetInvalidError(
      `${name}: prefix is ${typeof prefix === 'string' ? `"${shownName(prefix)}"` : kindOf(prefix)}`,
      'Set a text that starts with a letter or an underscore, followed by letters, digits, _ . : or -.',
    );
  if (description !== undefined && typeof description !== 'string')
    throw new ToolsetInvalidError(`${name}: description is ${kindOf(description)}`, 'Set a text.');
}
