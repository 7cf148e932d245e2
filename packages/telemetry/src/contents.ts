import type { Content, ModelRequest, ModelResponse, Part } from '@adorn/core';
import type { Attributes } from '@opentelemetry/api';

import {
  INPUT_MESSAGES,
  OUTPUT_MESSAGES,
  SYSTEM_INSTRUCTIONS,
  TOOL_ARGUMENTS,
  TOOL_RESULT,
} from './conventions.js';

type Facts = Readonly<Record<string, unknown>>;

/** The longest text in an attribute, in characters. */
const LONGEST = 8_192;

/** What users, models and tools say, as attributes: redacted, and long texts cut. */
export class Contents {
  private readonly redactors: ((facts: Facts) => Facts)[] = [];

  /** Each runner of the plugin redacts. */
  redactWith(redact: (facts: Facts) => Facts): void {
    this.redactors.push(redact);
  }

  ofRequest({ contents, config }: ModelRequest): Attributes {
    const instructions = instructionsOf(config.systemInstruction);
    return {
      [INPUT_MESSAGES]: this.json(contents.map(messageOf)),
      ...(instructions.length > 0 && { [SYSTEM_INSTRUCTIONS]: this.json(instructions) }),
    };
  }

  ofResponse({ content }: ModelResponse, finishReason: string): Attributes {
    if (!content) return {};
    return { [OUTPUT_MESSAGES]: this.json([{ ...messageOf(content), finish_reason: finishReason }]) };
  }

  ofArguments(args: Facts): Attributes {
    return { [TOOL_ARGUMENTS]: this.json(args) };
  }

  ofResult(response: Facts): Attributes {
    return { [TOOL_RESULT]: this.json(response) };
  }

  text(text: string): string {
    return cut(String(this.redacted({ text })['text']));
  }

  private json(value: unknown): string {
    const { value: safe } = this.redacted({ value });
    return JSON.stringify(safe, (_name, field: unknown) => (typeof field === 'string' ? cut(field) : field));
  }

  private redacted(facts: Facts): Facts {
    return this.redactors.reduce((safe, redact) => redact(safe), facts);
  }
}

function instructionsOf(instruction: ModelRequest['config']['systemInstruction']): object[] {
  if (instruction === undefined) return [];
  if (typeof instruction === 'object' && 'parts' in instruction) return (instruction.parts ?? []).map(partOf);
  const parts = Array.isArray(instruction) ? instruction : [instruction];
  return parts.map((part) => (typeof part === 'string' ? textOf(part) : partOf(part as Part)));
}

function messageOf({ role, parts = [] }: Content): { readonly role: string; readonly parts: object[] } {
  const isResult = parts.some(({ functionResponse }) => functionResponse !== undefined);
  return { role: role === 'model' ? 'assistant' : isResult ? 'tool' : 'user', parts: parts.map(partOf) };
}

/** A part in the conventions' JSON. Bytes are left out. */
function partOf({ text, thought, functionCall, functionResponse, inlineData, fileData }: Part): object {
  if (text !== undefined) return thought === true ? { type: 'reasoning', content: text } : textOf(text);
  if (functionCall) {
    const { id, name, args } = functionCall;
    return { type: 'tool_call', id, name, arguments: args };
  }
  if (functionResponse) {
    const { id, response } = functionResponse;
    return { type: 'tool_call_response', id, response };
  }
  if (fileData) return { type: 'uri', mime_type: fileData.mimeType, uri: fileData.fileUri };
  return inlineData ? { type: 'blob', mime_type: inlineData.mimeType } : { type: 'other' };
}

function textOf(content: string): object {
  return { type: 'text', content };
}

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${String(text.length)} characters)`;
}
