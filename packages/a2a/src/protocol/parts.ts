import type { Part as AgentPart } from '@adorn/core';
import type { Message, Part } from '@a2a-js/sdk';

/** The URI of the extension by which a server says that a message that is sent again begins no second task. */
export const MESSAGE_ID_EXTENSION = 'https://adorn.dev/a2a/extensions/message-id/v1';

/** A text as a part of a message or an artifact. */
export function textPart(value: string): Part {
  return { content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: 'text/plain' };
}

/** Plain JSON as a part of a message or an artifact. */
export function dataPart(value: unknown): Part {
  return {
    content: { $case: 'data', value },
    metadata: undefined,
    filename: '',
    mediaType: 'application/json',
  };
}

/**
 * A part of an agent's content as a part of the protocol: text, bytes or a link. Undefined for others, such as thoughts and
 * calls, which are not for peers.
 */
export function toPeerPart({ text, thought, inlineData, fileData }: AgentPart): Part | undefined {
  if (thought === true) return undefined;
  if (text !== undefined && text !== '') return textPart(text);
  if (inlineData?.data !== undefined) {
    const value = Buffer.from(inlineData.data, 'base64');
    const mediaType = inlineData.mimeType ?? 'application/octet-stream';
    return {
      content: { $case: 'raw', value },
      metadata: undefined,
      filename: inlineData.displayName ?? '',
      mediaType,
    };
  }
  if (fileData?.fileUri === undefined) return undefined;
  return {
    content: { $case: 'url', value: fileData.fileUri },
    metadata: undefined,
    filename: fileData.displayName ?? '',
    mediaType: fileData.mimeType ?? 'application/octet-stream',
  };
}

/** The parts of an agent's content that are for peers. */
export function toPeerParts(parts: readonly AgentPart[] = []): Part[] {
  return parts.flatMap((part) => toPeerPart(part) ?? []);
}

/** A part of a peer as a part of a message to an agent or a model: data is JSON text. It never becomes a call or a response. */
export function fromPeerPart({ content, filename, mediaType }: Part): AgentPart | undefined {
  const displayName = filename === '' ? undefined : filename;
  const mimeType = mediaType === '' ? 'application/octet-stream' : mediaType;
  switch (content?.$case) {
    case 'text':
      return content.value === '' ? undefined : { text: content.value };
    case 'raw':
      return { inlineData: { data: Buffer.from(content.value).toString('base64'), mimeType, displayName } };
    case 'url':
      return { fileData: { fileUri: content.value, mimeType, displayName } };
    case 'data':
      return { text: JSON.stringify(content.value ?? null) };
    default:
      return undefined;
  }
}

/** The parts of a peer's message or artifact that can be read. */
export function fromPeerParts(parts: readonly Part[] = []): AgentPart[] {
  return parts.flatMap((part) => fromPeerPart(part) ?? []);
}

/** The text of a message of a peer; empty if it has none. */
export function textOf(message: Message | undefined): string {
  return (message?.parts ?? [])
    .flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : []))
    .join('');
}

/** The JSON of the first data part of a message; undefined if it has none. */
export function dataOf(message: Message | undefined): unknown {
  for (const { content } of message?.parts ?? []) if (content?.$case === 'data') return content.value;
  return undefined;
}
