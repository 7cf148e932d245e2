import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { ModelResponse } from '@adorn/core';

import { GeminiModel } from '../gemini.model.js';

const PIECE = 'data: {"candidates":[{"content":{"role":"model","parts":[{"text":"a"}]}}]}\n\n';
const END = 'data: {"candidates":[{"finishReason":"STOP"}]}\n\n';

/** What a gateway sends while the model behind it says nothing. */
const KEPT_OPEN: readonly (readonly [string, string])[] = [
  ['comments', ': ping\n\n'],
  ['blank lines', '\n'],
  ['pings', 'event: ping\ndata: {"type":"ping"}\n\n'],
  ['empty objects', 'data: {}\n\n'],
  ['parts of an event that never ends', 'data: '],
];

describe('a stream of Gemini that is kept open', () => {
  it.each(KEPT_OPEN)('times out where it has nothing but %s', async (_what, beat) => {
    await using server = await Server.start((response) => beats(response, beat));

    await expect(ask(server.url, 150)).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
  });

  it.each(KEPT_OPEN)('is interrupted where it goes on with nothing but %s', async (_what, beat) => {
    await using server = await Server.start((response) => {
      response.write(PIECE);
      beats(response, beat);
    });

    // Long enough for the first piece of a server on a busy machine.
    expect((await ask(server.url, 800)).at(-1)?.errorCode).toBe('STREAM_INTERRUPTED');
  });

  it('goes on for as long as the model says something', async () => {
    await using server = await Server.start((response) => {
      let left = 12;
      const timer = setInterval(() => {
        left -= 1;
        response.write(left === 0 ? END : PIECE);
        if (left > 0) return;
        clearInterval(timer);
        response.end();
      }, 50);
    });

    expect((await ask(server.url, 400)).at(-1)).toMatchObject({ finishReason: 'STOP' });
  });
});

function beats(response: ServerResponse, beat: string): void {
  const timer = setInterval(() => response.write(beat), 20);
  response.once('close', () => {
    clearInterval(timer);
  });
}

async function ask(baseUrl: string, timeout: number): Promise<ModelResponse[]> {
  const model = new GeminiModel({ baseUrl, apiKey: 'test', timeout, retry: { attempts: 1 } });
  const contents = [{ role: 'user', parts: [{ text: 'Hello?' }] }];
  const responses: ModelResponse[] = [];
  const signal = new AbortController().signal;
  for await (const response of model.generate({ contents, config: {}, stream: true, signal }))
    responses.push(response);
  return responses;
}

/** A server that answers each request with a stream. */
class Server implements AsyncDisposable {
  private constructor(private readonly server: ReturnType<typeof createServer>) {}

  static async start(answer: (response: ServerResponse) => void): Promise<Server> {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      answer(response);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new Server(server);
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
