import { shownName } from '@adorn/schema';
import type { Tool } from '../tool.js';
import { type AiSdkTool, aiSdkTool, type AiSdkToolSet, isAiSdkTool } from './ai-sdk.tool.js';
import { isLangChainTool, type LangChainTool, langChainTool } from './langchain.tool.js';

/** A tool of LangChain, or tools of the AI SDK by their names. */
export type ThirdPartyTools = LangChainTool | AiSdkToolSet;

/** True for tools of another library, also if they have a fault. */
export function isThirdParty(source: unknown): source is ThirdPartyTools {
  return isLangChainTool(source) || isAiSdkTool(source) || isAiSdkToolSet(source);
}

/** Converts the tools of another library, which must not have a fault. */
export function thirdPartyTools(source: ThirdPartyTools): Tool[] {
  if (isLangChainTool(source)) return [langChainTool(source)];
  return Object.entries(source).map(([name, tool]) => known(name, tool));
}

/** Why tools of another library cannot be used; undefined if they can. */
export function thirdPartyFault(source: ThirdPartyTools): string | undefined {
  if (isLangChainTool(source)) return undefined;
  if (isAiSdkTool(source))
    return 'is a tool of the AI SDK, which has no name: list it in a record, such as { get_weather: tool }';
  for (const [name, tool] of Object.entries(source) as [string, unknown][]) {
    const shown = `is a record of tools of the AI SDK, whose entry "${shownName(name)}"`;
    if (!isAiSdkTool(tool)) return `${shown} is not a tool of the AI SDK: list it separately`;
    if (typeof tool.execute !== 'function')
      return `${shown} has no execute, so that it cannot run here: add one, or use a built-in tool or a FunctionTool`;
  }
  return undefined;
}

/** A plain object with at least one tool of the AI SDK. */
function isAiSdkToolSet(source: unknown): source is AiSdkToolSet {
  if (typeof source !== 'object' || source === null || isAiSdkTool(source)) return false;
  const prototype: unknown = Object.getPrototypeOf(source);
  return (prototype === Object.prototype || prototype === null) && Object.values(source).some(isAiSdkTool);
}

/** The cached tool for a name, shared by all agents that list it. */
function known(name: string, source: AiSdkTool): Tool {
  const named = tools.get(source) ?? new Map<string, Tool>();
  tools.set(source, named);
  const tool = named.get(name) ?? aiSdkTool(name, source);
  named.set(name, tool);
  return tool;
}

const tools = new WeakMap<AiSdkTool, Map<string, Tool>>();
