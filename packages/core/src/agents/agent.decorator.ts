import { type ClassReference, updateOwnMetadata } from '../metadata/class-metadata.js';
import { noteDeclarationSite } from '../schema/declaration-site.metadata.js';
import { isPlainFunction, type ToolFunction } from '../tools/plain-function.js';
import { bareTool } from '../tools/tool-of-function.js';
import { AGENT, type AgentClass, type AgentOptions } from './agent.metadata.js';

/**
 * Declares a class as an agent.
 *
 * A subclass inherits the options it does not state, but for its name and description, and adds its tools and
 * sub-agents to the inherited ones. Nothing is bound here: the class meets the container when a runner is created.
 */
export function agent(options?: AgentOptions): (target: AgentClass) => void;
export function agent(target: AgentClass): void;
export function agent(
  optionsOrTarget: AgentOptions | AgentClass = {},
): ((target: AgentClass) => void) | undefined {
  if (typeof optionsOrTarget === 'function') {
    declare(optionsOrTarget, {});
    return undefined;
  }
  return (target) => {
    declare(target, optionsOrTarget);
  };
}

function declare(target: ClassReference, options: AgentOptions): void {
  updateOwnMetadata(target, AGENT, () => options);
  noteDeclarationSite(target);
  for (const source of options.tools ?? []) if (isNamedFunction(source)) bareTool(source);
}

/** Its source is looked for in the file that lists it first. One without a name is refused when a runner is created. */
function isNamedFunction(source: unknown): source is ToolFunction {
  return isPlainFunction(source) && source.name !== '';
}
