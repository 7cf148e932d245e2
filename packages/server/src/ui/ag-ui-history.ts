import type { Message } from '@ag-ui/core';

import type { Frame } from '../frames/frame.js';
import { argumentsForPage } from '../page-tools/page-results.js';
import type { Conversation } from './conversation.js';
import { mcpAppsActivity } from './mcp-apps.js';

/** The messages of a conversation as a client of AG-UI would have collected them, for its option `initialMessages`. */
export function agUiMessages({ frames }: Conversation): Message[] {
  const args = new Map(frames.flatMap((frame) => (frame.kind === 'call' ? [[frame.id, frame.args]] : [])));
  const waiting = new Set<string>();
  const ofPage = new Set<string>();
  const messages = frames.flatMap((frame) => {
    if (frame.kind === 'request' && !ofPage.has(frame.request.functionCallId))
      waiting.add(frame.request.functionCallId);
    // The result of a call that the page has run is an answer.
    if (frame.kind === 'answer' && ofPage.has(frame.id)) return messageOf({ ...frame, kind: 'result' });
    if (frame.kind !== 'result') return messageOf(frame);
    if (argumentsForPage(frame.response)) {
      ofPage.add(frame.id);
      return [];
    }
    // The first result of a call that waits for a person only says so.
    if (waiting.delete(frame.id)) return [];
    const activity = mcpAppsActivity(frame, args.get(frame.id) ?? {});
    return [...messageOf(frame), ...(activity ? [{ role: 'activity' as const, ...activity }] : [])];
  });
  return merged(messages);
}

/** The texts and files of one event are one message. */
function merged(messages: readonly Message[]): Message[] {
  const byId = new Map<string, Message>();
  for (const message of messages) {
    const { content: before } = byId.get(message.id) ?? {};
    const content = before === undefined ? message.content : joined(before, message.content);
    byId.set(message.id, { ...message, content } as Message);
  }
  return [...byId.values()];
}

function joined(before: unknown, content: unknown): unknown {
  if (typeof before === 'string' && typeof content === 'string') return before + content;
  return [...contentParts(before), ...contentParts(content)];
}

function contentParts(content: unknown): unknown[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content : [];
}

/** A file of the user, as a client of AG-UI sends it. */
function fileContent({ mimeType, name, data, uri }: Extract<Frame, { kind: 'file' }>) {
  const [kind = ''] = mimeType.split('/', 1);
  const source =
    uri === undefined ? { type: 'data', value: data ?? '', mimeType } : { type: 'url', value: uri, mimeType };
  return {
    type: ['image', 'audio', 'video'].includes(kind) ? kind : 'document',
    source,
    metadata: name === undefined ? undefined : { filename: name },
  };
}

function messageOf(frame: Frame): Message[] {
  switch (frame.kind) {
    case 'text': {
      const { author, eventId: id, text: content, thought } = frame;
      if (author === 'user') return [{ id, role: 'user', content }];
      return thought === true
        ? [{ id: `${id}-reasoning`, role: 'reasoning', content }]
        : [{ id: `${id}-text`, role: 'assistant', content }];
    }
    case 'file':
      if (frame.author !== 'user') return [];
      return [{ id: frame.eventId, role: 'user', content: [fileContent(frame)] } as Message];
    case 'call': {
      const { id, tool: name, args } = frame;
      const call = { id, type: 'function' as const, function: { name, arguments: JSON.stringify(args) } };
      return [{ id, role: 'assistant', toolCalls: [call] }];
    }
    case 'result': {
      const { id: toolCallId, eventId, response } = frame;
      const content = JSON.stringify(response);
      return [{ id: `${eventId}-${toolCallId}`, role: 'tool', toolCallId, content }];
    }
    default:
      return [];
  }
}
