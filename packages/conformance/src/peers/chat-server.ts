import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

import type { ChatMessage, ChatModel, ChatStep } from './scripted-models.js';

/** A body, as far as it is looked at. */
interface ChatBody {
  readonly messages?: readonly ChatMessage[];
  readonly tools?: readonly { readonly function?: { readonly name?: string } }[];
  readonly stream?: boolean;
}

/** A server on 127.0.0.1. */
export interface ChatServer extends AsyncDisposable {
  /** Such as `http://127.0.0.1:40123/v1`. */
  readonly baseUrl: string;
}

/** Bytes of a token, where the model does not say. */
const BYTES_PER_TOKEN = 4;

/**
 * Serves a model as OpenAI's chat completions. Each answer and each call has an id of its own, by which kits tell messages
 * apart, and what is too long is refused in OpenAI's words.
 */
export async function serveChat(model: ChatModel): Promise<ChatServer> {
  let answers = 0;
  const server = createServer((request, response) => {
    answers += 1;
    void answer(model, String(answers), request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(
  model: ChatModel,
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { messages = [], tools = [], stream = false } = (await json(request)) as ChatBody;
  const text = JSON.stringify([messages, tools]);
  const names = tools.map((tool) => tool.function?.name ?? '');
  const step = model({ messages, tools: names, text });
  if ('window' in step) refuse(step, response);
  else if (stream) sendChunks(headOf(id, text), messageOf(id, step), response);
  else sendWhole(headOf(id, text), messageOf(id, step), response);
}

function refuse({ tokens, window }: { tokens: number; window: number }, response: ServerResponse): void {
  const message = `This model's maximum context length is ${String(window)} tokens. However, your messages resulted in ${String(tokens)} tokens. Please reduce the length of the messages.`;
  const error = {
    message,
    type: 'invalid_request_error',
    param: 'messages',
    code: 'context_length_exceeded',
  };
  response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
}

function messageOf(id: string, step: Exclude<ChatStep, { window: number }>) {
  if ('says' in step) return { role: 'assistant', content: step.says };
  const toolCalls = step.calls.map((args, index) => ({
    id: `call_${id}_${String(index)}`,
    index,
    type: 'function',
    function: { name: step.name, arguments: JSON.stringify(args) },
  }));
  return { role: 'assistant', content: null, tool_calls: toolCalls };
}

function headOf(id: string, text: string) {
  const tokens = Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
  const usage = { prompt_tokens: tokens, completion_tokens: 1, total_tokens: tokens + 1 };
  return { id: `chatcmpl-${id}`, created: 1_700_000_000, model: 'local', usage };
}

function finishOf(message: object): string {
  return 'tool_calls' in message ? 'tool_calls' : 'stop';
}

function sendWhole(head: object, message: object, response: ServerResponse): void {
  const choices = [{ index: 0, message, finish_reason: finishOf(message) }];
  const body = { ...head, object: 'chat.completion', choices };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function sendChunks(head: object, delta: object, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const choices = [
    { index: 0, delta, finish_reason: null },
    { index: 0, delta: {}, finish_reason: finishOf(delta) },
  ];
  for (const choice of choices) {
    const chunk = { ...head, object: 'chat.completion.chunk', choices: [choice] };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  }
  response.end('data: [DONE]\n\n');
}
