import { isBlank, type StablePart } from '@adorn/core/backend';

import type { CacheMark } from '../profile.js';
import type { PromptMessage, PromptTool, ProviderMetadata } from './call-options.js';

/**
 * The places of a prompt behind which a provider caches: at most four, the largest number that Anthropic and Bedrock take.
 * Later requests look there for what they have in common with this one: behind the fixed part of the instruction, and in
 * the conversation before what is appended to this request only, where the request before this one ended, before what is
 * added for this run only, and where that was in the run before. The last is marked only if two of the others are one
 * place. Providers search twenty blocks before a mark, and an answer with many calls has more.
 */
export class CacheMarks {
  private readonly options: ProviderMetadata;

  constructor({ provider, option, value }: CacheMark, stated: unknown) {
    this.options = { [provider]: { [option]: stated ?? value } };
  }

  /** The system instruction: its fixed part, marked, and the rest. */
  system(text: string, fixed: number): PromptMessage[] {
    const [head, rest] = [text.slice(0, fixed), text.slice(fixed)];
    const { options: providerOptions } = this;
    if (isBlank(head) || isBlank(rest)) return [{ role: 'system', content: text, providerOptions }];
    return [
      { role: 'system', content: head, providerOptions },
      { role: 'system', content: rest },
    ];
  }

  /** The tools, of which the last function is marked that is not marked otherwise: a deferred tool is not in what is cached. */
  tools(tools: readonly PromptTool[]): readonly PromptTool[] {
    const last = tools.findLastIndex((tool) => tool.type === 'function' && !tool.providerOptions);
    return tools.map((tool, index) =>
      index === last && tool.type === 'function' ? { ...tool, providerOptions: this.options } : tool,
    );
  }

  /** Marks messages of a prompt. */
  mark(prompt: PromptMessage[], { earlier, contents }: ConversationEnds): void {
    const last = lastOfUser(prompt, contents);
    const answer = lastOf(prompt, last, ['assistant']);
    const before = lastOfUser(prompt, earlier);
    const message = lastOf(prompt, before, ['user']);
    const places = [last, lastOfUser(prompt, answer), before, lastOfUser(prompt, message)];
    for (const place of [...new Set(places)].slice(0, MARKED_MESSAGES)) {
      const marked = prompt[place];
      if (marked) prompt[place] = { ...marked, providerOptions: this.options };
    }
  }
}

/** How many messages are marked beside the system instruction. */
const MARKED_MESSAGES = 3;

/** Where the parts of a conversation that later requests have as well end in a prompt, as numbers of messages. */
export interface ConversationEnds {
  /** The end of what comes before anything that is added for this run only. */
  readonly earlier: number;
  /** The end of what comes before anything that is appended to this request only. */
  readonly contents: number;
}

/** The last message of the user, or of tools, before a place; -1 if there is none. */
function lastOfUser(prompt: readonly PromptMessage[], end: number): number {
  return lastOf(prompt, end, ['user', 'tool']);
}

function lastOf(prompt: readonly PromptMessage[], end: number, roles: readonly string[]): number {
  return prompt.slice(0, Math.max(0, end)).findLastIndex(({ role }) => roles.includes(role));
}

/** Nothing is known of later requests: all of this one is taken for their beginning. */
export function wholeOf(contents: readonly unknown[], system: string): StablePart {
  return { instruction: system.length, earlier: contents.length, contents: contents.length };
}
