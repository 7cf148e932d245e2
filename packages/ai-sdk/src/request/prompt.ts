import type { Content, FunctionCall, FunctionResponse, Part } from '@adorn/core';

import { metadataOf, optionsOf } from '../part-metadata.js';
import type { Specification } from '../specification.js';
import type { PromptMessage, PromptPart, ToolOutput } from './call-options.js';
import { CallIds, type KnownCall } from './call-ids.js';
import { toFilePart, toResultFile } from './files.js';

/** A content as messages. */
interface ConvertedContent {
  readonly messages: readonly PromptMessage[];
  /** The calls that it makes, with the ids that they have in the prompt. */
  readonly calls: readonly KnownCall[];
}

/**
 * Converts the contents of requests to prompts. Each content is converted once, however many turns follow it: the
 * history passes the same object to each request.
 */
export class PromptConverter {
  private readonly known = new WeakMap<Content, ConvertedContent>();
  private readonly ids = new CallIds();

  constructor(private readonly version: Specification) {}

  /** @param system the system instruction; an empty text for none */
  convert(contents: readonly Content[], system: string): PromptMessage[] {
    const prompt: PromptMessage[] = system === '' ? [] : [{ role: 'system', content: system }];
    let calls: readonly KnownCall[] = [];
    for (const content of contents) {
      const converted = this.known.get(content) ?? this.add(content, calls);
      for (const message of converted.messages) prompt.push(message);
      if (converted.calls.length > 0) calls = converted.calls;
    }
    return prompt;
  }

  private add(content: Content, earlier: readonly KnownCall[]): ConvertedContent {
    const converted =
      content.role === 'model' ? this.modelContent(content) : this.userContent(content, earlier);
    this.known.set(content, converted);
    return converted;
  }

  /** Responses to calls come first: providers expect them directly after the calls. */
  private userContent({ parts = [] }: Content, earlier: readonly KnownCall[]): ConvertedContent {
    const idOf = this.ids.ofResponses(earlier);
    const results = parts.flatMap(({ functionResponse: given }) =>
      given === undefined ? [] : [this.toolResult(given, idOf(given))],
    );
    // Metadata in a message of a user is not a provider's.
    const said = parts.flatMap((part) => this.commonPart(part));
    return { messages: [...messageOf('tool', results), ...messageOf('user', said)], calls: [] };
  }

  private modelContent({ parts = [] }: Content): ConvertedContent {
    const calls: KnownCall[] = [];
    const converted = parts.flatMap((part): PromptPart[] => {
      if (part.functionCall === undefined) return this.modelPart(part);
      const id = this.ids.ofCall(part.functionCall);
      calls.push({ name: part.functionCall.name ?? '', id });
      return [{ ...toolCall(part.functionCall, id), ...optionsOf(part) }];
    });
    return { messages: messageOf('assistant', converted), calls };
  }

  private modelPart(part: Part): PromptPart[] {
    const { text, thought, toolCall: call, toolResponse: response } = part;
    // Thoughts and server-side calls of other models, such as Gemini's, mean nothing to this provider.
    const isOwn = metadataOf(part) !== undefined;
    if (thought === true) return isOwn ? [{ type: 'reasoning', text: text ?? '', ...optionsOf(part) }] : [];
    if (call !== undefined) return isOwn ? [{ ...providerCall(call), ...optionsOf(part) }] : [];
    if (response !== undefined) return isOwn ? [{ ...providerResult(response), ...optionsOf(part) }] : [];
    return this.commonPart(part).map((converted) => ({ ...converted, ...optionsOf(part) }));
  }

  private commonPart(part: Part): PromptPart[] {
    const { text, thought, executableCode: code, codeExecutionResult: result } = part;
    if (thought === true) return [];
    if (text !== undefined) return [{ type: 'text', text }];
    if (code?.code !== undefined) return [{ type: 'text', text: `\`\`\`\n${code.code}\n\`\`\`` }];
    if (result?.output !== undefined) return [{ type: 'text', text: `\`\`\`\n${result.output}\n\`\`\`` }];
    const file = toFilePart(part, this.version);
    return file === undefined ? [] : [file];
  }

  private toolResult({ name = '', response = {}, parts = [] }: FunctionResponse, id: string): PromptPart {
    const files = parts.map((part) => toResultFile(part, this.version)).filter((file) => file !== undefined);
    const output: ToolOutput =
      files.length === 0
        ? { type: isError(response) ? 'error-json' : 'json', value: response }
        : { type: 'content', value: [{ type: 'text', text: JSON.stringify(response) }, ...files] };
    return { type: 'tool-result', toolCallId: id, toolName: name, output };
  }
}

function messageOf(role: 'user' | 'assistant' | 'tool', content: readonly PromptPart[]): PromptMessage[] {
  return content.length === 0 ? [] : [{ role, content }];
}

function toolCall({ name = '', args = {} }: FunctionCall, toolCallId: string): PromptPart {
  return { type: 'tool-call', toolCallId, toolName: name, input: args };
}

type ProviderCall = NonNullable<Part['toolCall']>;
type ProviderResponse = NonNullable<Part['toolResponse']>;

function providerCall({ id = '', toolType, args = {} }: ProviderCall): PromptPart {
  const named = { toolCallId: id, toolName: toolType ?? '' };
  return { type: 'tool-call', ...named, input: args, providerExecuted: true };
}

function providerResult({ id = '', toolType, response = {} }: ProviderResponse): PromptPart {
  const value = 'result' in response ? response['result'] : response;
  const output = { type: isError(response) ? 'error-json' : 'json', value } as const;
  return { type: 'tool-result', toolCallId: id, toolName: toolType ?? '', output };
}

/** Core answers a call that failed with a text under `error`. */
function isError(response: Readonly<Record<string, unknown>>): boolean {
  return typeof response['error'] === 'string';
}
