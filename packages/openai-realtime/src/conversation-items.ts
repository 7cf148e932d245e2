import type { Content } from '@adorn/core';
import type { LiveToolResponse } from '@adorn/core/backend';
import type { ConversationItem } from 'openai/resources/realtime/realtime';

type Part = NonNullable<Content['parts']>[number];

/** Contents as items of a conversation: messages, calls and their outputs, in their order. Thoughts and audio are left out. */
export function toItems(contents: readonly Content[]): ConversationItem[] {
  return contents.flatMap(({ role, parts = [] }) =>
    parts.flatMap((part): ConversationItem[] => {
      const item = role === 'model' ? assistantItem(part) : userItem(part);
      return item ? [item] : [];
    }),
  );
}

/** The output of a call: the JSON of the response. */
export function toOutput({ id, response }: Pick<LiveToolResponse, 'id' | 'response'>): ConversationItem {
  return { type: 'function_call_output', call_id: id, output: JSON.stringify(response) };
}

/** An image, as a message of the user. */
export function toImage(bytes: Uint8Array, mimeType: string): ConversationItem {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return imageItem(`data:${mimeType};base64,${data}`);
}

function assistantItem({ text, thought, functionCall }: Part): ConversationItem | undefined {
  if (functionCall) {
    const { id = '', name = '', args = {} } = functionCall;
    return { type: 'function_call', call_id: id, name, arguments: JSON.stringify(args) };
  }
  if (text === undefined || text === '' || thought === true) return undefined;
  return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] };
}

function userItem({ text, functionResponse, inlineData }: Part): ConversationItem | undefined {
  if (functionResponse) {
    const { id = '', response = {} } = functionResponse;
    return toOutput({ id, response });
  }
  if (inlineData?.data !== undefined && inlineData.mimeType?.startsWith('image/') === true)
    return imageItem(`data:${inlineData.mimeType};base64,${inlineData.data}`);
  if (text === undefined || text === '') return undefined;
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
}

function imageItem(image_url: string): ConversationItem {
  return { type: 'message', role: 'user', content: [{ type: 'input_image', image_url }] };
}
