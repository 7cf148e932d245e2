import type { GenerateContentConfig } from '@adorn/core';

import type { AiSdkModelOptions } from '../ai-sdk-options.js';
import type { PromptTool } from './call-options.js';

/** The tools of Adorn that an agent's instruction tells the model to call: it has to see them. */
const STEERING: ReadonlySet<string> = new Set(['transfer_to_agent', 'set_model_response']);

/**
 * Marks the tools that the provider's search finds: it gets their declarations, and its model reads those that it has found.
 * A model that has to call one of the tools sees them all.
 *
 * @param optionsName the provider's key of the mark
 */
export function markDeferred(
  tools: readonly PromptTool[],
  { toolConfig }: Readonly<GenerateContentConfig>,
  { deferTools }: AiSdkModelOptions,
  optionsName: string,
): readonly PromptTool[] {
  const mode: string | undefined = toolConfig?.functionCallingConfig?.mode;
  if (!deferTools || mode === 'ANY') return tools;
  const providerOptions = { [optionsName]: { deferLoading: true } };
  return tools.map((tool) =>
    tool.type === 'function' && !STEERING.has(tool.name) && deferTools(tool.name)
      ? { ...tool, providerOptions }
      : tool,
  );
}
