import type { FunctionCall, Part } from '@adorn/core';
import type { WireNames } from '@adorn/core/backend';
import type { JsonObject } from '@adorn/core/dialects';

import { isJsonObject } from '../is-json-object.js';
import { withMetadata } from '../part-metadata.js';
import type { ProviderMetadata } from '../request/call-options.js';

/** One part of an answer, or of a stream, by its type. */
export type AnswerPart = JsonObject & { readonly type: string };

export function isAnswerPart(value: unknown): value is AnswerPart {
  return isJsonObject(value) && typeof value['type'] === 'string';
}

/** The metadata of a part; undefined for none. */
export function readMetadata({ providerMetadata }: JsonObject): ProviderMetadata | undefined {
  if (!isJsonObject(providerMetadata)) return undefined;
  const entries = Object.entries(providerMetadata).filter(([, value]) => isJsonObject(value));
  const filled = entries.filter(([, value]) => Object.keys(value as object).length > 0);
  return filled.length === 0 ? undefined : (Object.fromEntries(filled) as ProviderMetadata);
}

/** A call or a file as a part of a content; undefined for anything else. */
export function toPart(given: AnswerPart, names: WireNames): Part | undefined {
  switch (given.type) {
    case 'tool-call':
      return given['providerExecuted'] === true ? providerCall(given) : functionCall(given, names);
    case 'tool-result':
      return given['preliminary'] === true ? undefined : providerResponse(given);
    case 'file':
      return filePart(given);
    default:
      return undefined;
  }
}

function functionCall(given: AnswerPart, names: WireNames): Part {
  const id = textOf(given['toolCallId']);
  const call = {
    ...(id !== '' && { id }),
    name: names.toOriginal(textOf(given['toolName'])),
    args: readArguments(given['input']),
  };
  return withMetadata({ functionCall: call }, readMetadata(given));
}

/** Arguments that are no JSON stay a text: the run tells the model that they must be an object. */
function readArguments(input: unknown): NonNullable<FunctionCall['args']> {
  if (isJsonObject(input)) return input;
  const text = textOf(input);
  if (text.trim() === '') return {};
  const parsed = parse(text);
  // A package of the AI SDK makes JSON of what its provider sends, also of a text.
  const written = typeof parsed === 'string' ? parsed : text;
  const args = typeof parsed === 'string' ? parse(parsed) : parsed;
  return (isJsonObject(args) ? args : written) as NonNullable<FunctionCall['args']>;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function providerCall(given: AnswerPart): Part {
  const args = readArguments(given['input']);
  const call = {
    id: textOf(given['toolCallId']),
    toolType: textOf(given['toolName']),
    args: isJsonObject(args) ? args : {},
  };
  return withMetadata({ toolCall: call } as unknown as Part, readMetadata(given) ?? {});
}

function providerResponse(given: AnswerPart): Part {
  const { result } = given;
  const response = given['isError'] === true ? { error: JSON.stringify(result) } : { result: result ?? null };
  const toolResponse = { id: textOf(given['toolCallId']), toolType: textOf(given['toolName']), response };
  return withMetadata({ toolResponse } as unknown as Part, readMetadata(given) ?? {});
}

/** The data is base64 or bytes; in v4 within an object. */
function filePart(given: AnswerPart): Part | undefined {
  const mimeType = textOf(given['mediaType']);
  const { data: stated } = given;
  if (isJsonObject(stated) && stated['type'] === 'url')
    return { fileData: { fileUri: String(stated['url']), mimeType } };
  const data = isJsonObject(stated) && stated['type'] === 'data' ? stated['data'] : stated;
  if (typeof data === 'string') return { inlineData: { data, mimeType } };
  if (!(data instanceof Uint8Array)) return undefined;
  return { inlineData: { data: Buffer.from(data).toString('base64'), mimeType } };
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
