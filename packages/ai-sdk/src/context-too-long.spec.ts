import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { AiSdkModel } from './ai-sdk.model.js';
import { type Vendor, VENDORS } from './vendors.fixture.js';
import { ask, NoWaiting } from './wires.fixture.js';

/** How each vendor refuses a request that is too long: the status, the body, and the window that it names. */
const REFUSALS: Readonly<Record<string, readonly [status: number, body: object, window?: number]>> = {
  OpenAI: [
    400,
    {
      error: {
        message:
          'Your input exceeds the context window of this model. Please adjust your input and try again.',
        type: 'invalid_request_error',
        param: 'input',
        code: 'context_length_exceeded',
      },
    },
  ],
  'OpenAI chat': [
    400,
    {
      error: {
        message:
          "This model's maximum context length is 128000 tokens. However, your messages resulted in 204308 tokens. Please reduce the length of the messages.",
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      },
    },
    128_000,
  ],
  Anthropic: [
    400,
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 208732 tokens > 200000 maximum' },
    },
    200_000,
  ],
  Bedrock: [400, { message: 'Input is too long for requested model.' }],
  Google: [
    400,
    {
      error: {
        code: 400,
        message: 'The input token count (3475108) exceeds the maximum number of tokens allowed (1048576).',
        status: 'INVALID_ARGUMENT',
      },
    },
    1_048_576,
  ],
  Groq: [
    413,
    {
      error: {
        message:
          'Request too large for model `x` in organization `org_x` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Requested 14810, please reduce your message size and try again.',
        type: 'tokens',
        code: 'rate_limit_exceeded',
      },
    },
    6_000,
  ],
  Mistral: [
    400,
    {
      object: 'error',
      message:
        'Prompt contains 140012 tokens and 0 draft tokens, too large for model with 131072 maximum context length',
      type: 'invalid_request_prompt',
      param: null,
      code: '3051',
    },
    131_072,
  ],
  OpenRouter: [
    400,
    {
      error: {
        message:
          "This endpoint's maximum context length is 200000 tokens. However, you requested about 293741 tokens (293741 of text input). Please reduce the length of either one.",
        code: 400,
      },
    },
    200_000,
  ],
  'Mistral on OpenRouter': [
    400,
    {
      error: {
        message: 'Provider returned error',
        code: 400,
        metadata: {
          raw: 'Prompt contains 40012 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
        },
      },
    },
    32_768,
  ],
  // Ollama and llama.cpp, through their compatible API.
  compatible: [
    400,
    {
      error: {
        message: 'request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it',
        type: 'exceed_context_size_error',
        code: 400,
      },
    },
    4_096,
  ],
};

describe.each(VENDORS)('a request that is too long for $name', (vendor: Vendor) => {
  it.each([false, true])('ends typed, with the window, after one request (stream: %s)', async (stream) => {
    const [status, body, window] = REFUSALS[vendor.name] ?? [500, {}];
    await using server = new RefusingServer(status, body);
    const timing = new NoWaiting();
    const model = new AiSdkModel(vendor.model(await server.listen()), {}, timing);

    const error = await ask(model, { stream }).catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({ code: 'CONTEXT_TOO_LONG', model: vendor.modelId });
    expect((error as { window?: number }).window).toBe(window);
    expect(server.requests).toBe(1);
    expect(timing.waits).toEqual([]);
  });
});

it('is the same where a stream says so, with the status 200', async () => {
  const event = {
    type: 'error',
    error: { type: 'invalid_request_error', message: 'prompt is too long: 208732 tokens > 200000 maximum' },
  };
  await using server = new RefusingServer(200, `event: error\ndata: ${JSON.stringify(event)}\n\n`);
  const anthropic = VENDORS.find(({ name }) => name === 'Anthropic');
  const model = new AiSdkModel(anthropic?.model(await server.listen()) as never, {}, new NoWaiting());

  await expect(ask(model, { stream: true })).rejects.toMatchObject({
    code: 'CONTEXT_TOO_LONG',
    window: 200_000,
  });
});

/** A server that refuses everything. */
class RefusingServer implements AsyncDisposable {
  requests = 0;
  private readonly server: Server;

  constructor(status: number, body: object | string) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const type = typeof body === 'string' ? 'text/event-stream' : 'application/json';
    this.server = createServer((request, response) => {
      this.requests += 1;
      request.resume().on('end', () => response.writeHead(status, { 'content-type': type }).end(text));
    });
  }

  async listen(): Promise<string> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
