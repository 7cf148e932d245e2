import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A server on loopback in the format of OpenAI's chat completions: it calls the first tool, then repeats its result. */
export async function startChatServer(): Promise<{ readonly baseUrl: string; close(): void }> {
  const server = createServer((request, response) => void answer(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${String(port)}/v1`,
    close: () => server.close().closeAllConnections(),
  };
}

interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly stream: boolean;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { messages, tools = [], stream } = (await json(request)) as ChatRequest;
  const result = messages.findLast(({ role }) => role === 'tool');
  const [tool] = tools;
  if (tool !== undefined && result === undefined) {
    const call = { name: tool.function.name, arguments: '{"city":"Oslo"}' };
    send(response, stream, [{ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: call }] }]);
  } else {
    send(response, stream, [{ content: 'The tool said: ' }, { content: result?.content ?? 'nothing' }]);
  }
}

/** The pieces as server-sent events, or joined to one message. */
function send(
  response: ServerResponse,
  stream: boolean,
  pieces: readonly { content?: string; tool_calls?: object[] }[],
): void {
  if (stream) {
    for (const delta of pieces) response.write(`data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`);
    response.end('data: [DONE]\n\n');
  } else {
    const content = pieces.map((piece) => piece.content ?? '').join('');
    const message = { role: 'assistant', content, tool_calls: pieces[0]?.tool_calls };
    response.end(JSON.stringify({ choices: [{ message }] }));
  }
}
