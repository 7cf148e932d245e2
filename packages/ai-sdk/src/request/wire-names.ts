import { WireNames, type NameRule } from '@adorn/core/backend';

import type { CallOptions, PromptMessage, PromptPart } from './call-options.js';

/** Options in which tools have names that the provider accepts, and these names. */
interface NamedOptions {
  readonly options: CallOptions;
  readonly names: WireNames;
}

/** Replaces the names of tools that the provider would refuse: in declarations, and in calls and responses before. */
export function withWireNames(options: CallOptions, rule: NameRule): NamedOptions {
  const names = new WireNames(rule, namesIn(options));
  if (names.areAllAccepted) return { options, names };
  const { tools, toolChoice, prompt } = options;
  const renamed = {
    ...options,
    prompt: prompt.map((message) => renamedMessage(message, names)),
    ...(tools && {
      tools: tools.map((tool) =>
        tool.type === 'function' ? { ...tool, name: names.toSent(tool.name) } : tool,
      ),
    }),
    ...(toolChoice?.type === 'tool' && {
      toolChoice: { ...toolChoice, toolName: names.toSent(toolChoice.toolName) },
    }),
  };
  return { options: renamed, names };
}

/** Tools that the provider runs itself have names of the provider, which no other tool may have. */
function* namesIn({ tools = [], prompt }: CallOptions): Generator<string> {
  for (const { name } of tools) yield name;
  for (const { content } of prompt) {
    if (typeof content === 'string') continue;
    for (const part of content) if (hasToolName(part)) yield part.toolName;
  }
}

type NamedPart = Extract<PromptPart, { readonly toolName: string }>;

function hasToolName(part: PromptPart): part is NamedPart {
  return part.type === 'tool-call' || part.type === 'tool-result';
}

function renamedMessage(message: PromptMessage, names: WireNames): PromptMessage {
  if (message.role === 'system' || message.role === 'user') return message;
  const isOfProvider = (part: NamedPart): boolean =>
    part.type === 'tool-call' ? part.providerExecuted === true : message.role === 'assistant';
  const content = message.content.map((part) =>
    hasToolName(part) && !isOfProvider(part) ? { ...part, toolName: names.toSent(part.toolName) } : part,
  );
  return { ...message, content };
}
