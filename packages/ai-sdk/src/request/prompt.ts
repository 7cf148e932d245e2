import type { Content, FunctionCall, Part } from '@adorn/core';
import { type FunctionResponse, isBlank, type StablePart } from '@adorn/core/backend';

import { metadataOf, optionsOf, type PartMaker } from '../part-metadata.js';
import type { Specification } from '../specification.js';
import type { PromptMessage, PromptPart, ToolOutput } from './call-options.js';
import type { ProviderProfile } from '../profile.js';
import { type CacheMarks, wholeOf } from './cache-marks.js';
import { CallIds, type KnownCall } from './call-ids.js';
import { toFilePart, toResultFile } from './files.js';

/** A content of the history, read once. */
interface ReadContent {
  readonly isModel: boolean;
  readonly parts: readonly Part[];
  readonly calls: readonly FunctionCall[];
  readonly responses: readonly FunctionResponse[];
}

/** The messages of a content, with the ids that its calls and responses have in them. */
interface ConvertedContent {
  readonly messages: readonly PromptMessage[];
  readonly ids: readonly string[];
}

/**
 * Converts the contents of requests to prompts. Each content is converted once, however many turns follow it: the
 * history passes the same object to each request. Only if other calls precede it than before, so that its calls have
 * other ids, it is converted again.
 */
export class PromptConverter {
  private readonly read = new WeakMap<Content, ReadContent>();
  private readonly converted = new WeakMap<ReadContent, ConvertedContent>();

  constructor(
    private readonly version: Specification,
    private readonly profile: Pick<ProviderProfile, 'callIds' | 'refusesBlankTexts' | 'beginsWithUser'>,
    private readonly maker: PartMaker,
    private readonly marks?: CacheMarks,
  ) {}

  /**
   * @param system the system instruction; an empty text for none
   * @param stable what later requests begin with. Default: all of this one.
   */
  convert(
    contents: readonly Content[],
    system: string,
    stable: StablePart = wholeOf(contents, system),
  ): PromptMessage[] {
    const { marks } = this;
    const prompt: PromptMessage[] = system === '' ? [] : this.systemOf(system, stable);
    const ends = { earlier: 0, contents: 0 };
    const callIds = new CallIds(this.profile.callIds);
    let calls: readonly KnownCall[] = [];
    for (const [index, given] of contents.entries()) {
      const content = this.readOnce(given);
      const made = content.calls.map((call) => ({ name: call.name ?? '', id: callIds.ofCall(call) }));
      const ids = content.isModel
        ? made.map(({ id }) => id)
        : content.responses.map(callIds.ofResponses(calls));
      for (const message of this.messagesOf(content, ids)) prompt.push(message);
      if (made.length > 0) calls = made;
      if (index + 1 === stable.earlier) ends.earlier = prompt.length;
      if (index + 1 === stable.contents) ends.contents = prompt.length;
    }
    marks?.mark(prompt, ends);
    const first = prompt.findIndex(({ role }) => role !== 'system');
    if (this.profile.beginsWithUser && prompt[first]?.role === 'assistant')
      prompt.splice(first, 0, BEGINNING);
    return prompt;
  }

  private systemOf(system: string, { instruction }: StablePart): PromptMessage[] {
    return this.marks?.system(system, instruction) ?? [{ role: 'system', content: system }];
  }

  private readOnce(content: Content): ReadContent {
    let read = this.read.get(content);
    if (!read) this.read.set(content, (read = readContent(content)));
    return read;
  }

  private messagesOf(content: ReadContent, ids: readonly string[]): readonly PromptMessage[] {
    const known = this.converted.get(content);
    if (known && ids.every((id, index) => id === known.ids[index])) return known.messages;
    const messages = content.isModel ? this.modelContent(content, ids) : this.userContent(content, ids);
    this.converted.set(content, { messages, ids });
    return messages;
  }

  /** Responses to calls come first: providers expect them directly after the calls. */
  private userContent({ parts }: ReadContent, ids: readonly string[]): PromptMessage[] {
    const next = ids.values();
    const results = parts.flatMap(({ functionResponse: given }) =>
      given ? [this.toolResult(given, next.next().value ?? '')] : [],
    );
    // Metadata in a message of a user is not a provider's.
    const given = parts.flatMap((part) => this.commonPart(part));
    const said = given.filter((part) => !isBlankText(part));
    const isEmptied = results.length === 0 && said.length === 0 && given.length > 0;
    return [...messageOf('tool', results), ...messageOf('user', isEmptied ? [EMPTY] : said)];
  }

  private modelContent({ parts }: ReadContent, ids: readonly string[]): PromptMessage[] {
    const next = ids.values();
    const converted = parts.flatMap((part): PromptPart[] => {
      if (!part.functionCall) return this.modelPart(part);
      return [{ ...toolCall(part.functionCall, next.next().value ?? ''), ...optionsOf(part, this.maker) }];
    });
    const said = converted.filter((part) => !this.isLeftOut(part));
    // A provider refuses a message of thoughts alone.
    return said.every(({ type }) => type === 'reasoning') ? [] : messageOf('assistant', said);
  }

  /** True for a blank text, unless the provider takes it and has said something about it, such as a signature. */
  private isLeftOut(part: PromptPart): boolean {
    return isBlankText(part) && (this.profile.refusesBlankTexts || part.providerOptions === undefined);
  }

  private modelPart(part: Part): PromptPart[] {
    const { text, thought, toolCall: call, toolResponse: response } = part;
    // Thoughts and server-side calls of other models mean nothing to this one, and some providers refuse them.
    const isOwn = metadataOf(part, this.maker) !== undefined;
    if (thought === true)
      return isOwn ? [{ type: 'reasoning', text: text ?? '', ...optionsOf(part, this.maker) }] : [];
    if (call) return isOwn ? [{ ...providerCall(call), ...optionsOf(part, this.maker) }] : [];
    if (response) return isOwn ? [{ ...providerResult(response), ...optionsOf(part, this.maker) }] : [];
    return this.commonPart(part).map((converted) => ({ ...converted, ...optionsOf(part, this.maker) }));
  }

  private commonPart(part: Part): PromptPart[] {
    const { text, thought, executableCode: code, codeExecutionResult: result } = part;
    if (thought === true) return [];
    if (text !== undefined) return [{ type: 'text', text }];
    if (code?.code !== undefined) return [{ type: 'text', text: `\`\`\`\n${code.code}\n\`\`\`` }];
    if (result?.output !== undefined) return [{ type: 'text', text: `\`\`\`\n${result.output}\n\`\`\`` }];
    const file = toFilePart(part, this.version);
    return file ? [file] : [];
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

function readContent({ role, parts = [] }: Content): ReadContent {
  const isModel = role === 'model';
  return {
    isModel,
    parts,
    calls: isModel ? parts.flatMap(({ functionCall }) => functionCall ?? []) : [],
    responses: isModel ? [] : parts.flatMap(({ functionResponse }) => functionResponse ?? []),
  };
}

function isBlankText(part: PromptPart): boolean {
  return part.type === 'text' && isBlank(part.text);
}

/** In place of a message of the user that has nothing but blank texts. */
const EMPTY: PromptPart = { type: 'text', text: '(empty message)' };

/** Before a conversation that begins with a message of the model. */
const BEGINNING: PromptMessage = {
  role: 'user',
  content: [{ type: 'text', text: '(the conversation begins)' }],
};

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
