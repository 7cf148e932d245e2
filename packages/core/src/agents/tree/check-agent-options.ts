import { type OptionFault, optionFault, sourceName } from '@adorn/schema';
import { Tool } from '../../tools/tool.js';
import { Toolset } from '../../tools/toolsets/toolset.js';
import { AGENT_OPTIONS, LLM_OPTIONS, WORKFLOW_OPTIONS } from '../agent-options.js';
import type { AgentClass, AgentOptions } from '../agent.decorator.js';
import { LlmAgent } from '../llm.agent.js';
import { workflowOf } from '../workflow/workflow.agent.js';
import { AgentConfigInvalidError } from './errors.js';

/**
 * Refuses options of an agent that do not exist, have no effect on it, or have a value that cannot be used.
 *
 * @throws {AgentConfigInvalidError}
 */
export function checkOptions(target: AgentClass<unknown>, options: AgentOptions): void {
  const wrong = agentOptionsFault(options);
  if (wrong !== undefined) throw new AgentConfigInvalidError(sourceName(target), wrong.fault, wrong.cure);
  checkUse(target, options);
}

/**
 * The first fault of the options of an agent, whatever its class: one that does not exist, or has an invalid value.
 *
 * @param unknown the options that are set to something that is not known, and are not checked. Default: all are known
 */
export function agentOptionsFault(options: object, unknown?: ReadonlySet<string>): OptionFault | undefined {
  const wrong = optionFault(options, AGENT_OPTIONS, unknown);
  if (wrong !== undefined || unknown?.has('generateContentConfig') === true) return wrong;
  return configFault(options);
}

/**
 * Refuses a global instruction below the root, unless it is the root's own, as where all agents extend one class.
 *
 * @throws {AgentConfigInvalidError}
 */
export function checkPlaces(
  { globalInstruction }: AgentOptions,
  below: readonly {
    readonly target: AgentClass<unknown>;
    readonly options: { globalInstruction?: unknown };
  }[],
): void {
  for (const { target, options } of below) {
    const { globalInstruction: own = globalInstruction } = options;
    if (own === globalInstruction) continue;
    throw new AgentConfigInvalidError(
      sourceName(target),
      'globalInstruction has no effect below the root',
      'Set it on the root agent, or use instruction.',
    );
  }
}

/** Refuses options without an effect. An agent without a model takes a `model` only for the agents below it. */
function checkUse(target: AgentClass<unknown>, options: AgentOptions): void {
  if (target.prototype instanceof LlmAgent) {
    refuseOptions(target, options, new Set(Object.keys(WORKFLOW_OPTIONS)), 'extends LlmAgent');
    return;
  }
  const workflow = workflowOf(target);
  const unused = new Set([...Object.keys(LLM_OPTIONS), ...Object.keys(WORKFLOW_OPTIONS)]);
  if (!options.subAgents?.length) unused.add('model');
  for (const used of workflow?.usedOptions ?? []) unused.delete(used);
  const why = workflow === undefined ? 'does not extend LlmAgent' : `extends ${workflow.name}`;
  refuseOptions(target, options, unused, why);
  const fault = workflow?.faultOf(options);
  if (fault !== undefined) throw new AgentConfigInvalidError(sourceName(target), fault.fault, fault.cure);
}

function refuseOptions(
  target: AgentClass<unknown>,
  options: AgentOptions,
  unused: ReadonlySet<string>,
  why: string,
): void {
  for (const name of unused) {
    const value: unknown = options[name as keyof AgentOptions];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    throw new AgentConfigInvalidError(
      sourceName(target),
      `${name} has no effect, because the class ${why}`,
      why.endsWith('not extend LlmAgent') ? 'Extend LlmAgent, or remove the option.' : 'Remove the option.',
    );
  }
}

/** Fields of `generateContentConfig` for which `@agent` has an option of its own. */
const ELSEWHERE = {
  systemInstruction: 'instruction',
  responseSchema: 'outputSchema',
  responseJsonSchema: 'outputSchema',
};

function configFault({ generateContentConfig }: AgentOptions): OptionFault | undefined {
  if (generateContentConfig === undefined) return undefined;
  for (const [key, option] of Object.entries(ELSEWHERE)) {
    if (key in generateContentConfig)
      return { fault: `generateContentConfig contains ${key}`, cure: `Use the option ${option} instead.` };
  }
  return modelToolsFault(generateContentConfig.tools);
}

/** `generateContentConfig` may contain tools that the model's provider runs, but no functions. */
function modelToolsFault(tools: unknown): OptionFault | undefined {
  if (tools === undefined) return undefined;
  const isRunByProvider = (tool: unknown): boolean =>
    typeof tool === 'object' &&
    tool !== null &&
    !(tool instanceof Tool || tool instanceof Toolset) &&
    !('functionDeclarations' in tool || 'callTool' in tool);
  if (Array.isArray(tools) && tools.every(isRunByProvider)) return undefined;
  return {
    fault:
      'generateContentConfig.tools may only contain tools that the provider runs, such as { googleSearch: {} }',
    cure: 'List functions under the option tools.',
  };
}
