import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createGroq } from '@ai-sdk/groq';
import { createMistral } from '@ai-sdk/mistral';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createOpenRouter } from '@openrouter/ai-sdk-provider';

import type { AiSdkLanguageModel } from './specification.js';

/** A vendor's real package, whose requests go to a base URL. */
export interface Vendor {
  readonly name: string;
  /** The name that the package gives itself, and a model of it. */
  readonly provider: string;
  readonly modelId: string;
  readonly model: (baseURL: string) => AiSdkLanguageModel;
  /** Call ids that it accepts, by its documentation. */
  readonly callId: RegExp;
}

const apiKey = 'test-key-0123456789';
const LONG = /^[\w-]{1,64}$/;
const SHORT = /^[\w-]{1,40}$/;
const NINE = /^[A-Za-z0-9]{9}$/;

function vendor(
  name: string,
  provider: string,
  modelId: string,
  callId: RegExp,
  create: (baseURL: string) => (modelId: string) => AiSdkLanguageModel,
): Vendor {
  return { name, provider, modelId, callId, model: (baseURL) => create(baseURL)(modelId) };
}

export const VENDORS: readonly Vendor[] = [
  vendor('OpenAI', 'openai.responses', 'gpt-5-mini', LONG, (baseURL) => createOpenAI({ baseURL, apiKey })),
  vendor(
    'OpenAI chat',
    'openai.chat',
    'gpt-5-mini',
    SHORT,
    (baseURL) => (modelId) => createOpenAI({ baseURL, apiKey }).chat(modelId),
  ),
  vendor('Anthropic', 'anthropic.messages', 'claude-sonnet-4-5', LONG, (baseURL) =>
    createAnthropic({ baseURL, apiKey }),
  ),
  vendor('Bedrock', 'amazon-bedrock', 'us.anthropic.claude-sonnet-4-20250514-v1:0', LONG, (baseURL) =>
    createAmazonBedrock({ baseURL, region: 'us-east-1', accessKeyId: 'a', secretAccessKey: 'b' }),
  ),
  vendor('Google', 'google.generative-ai', 'gemini-2.5-flash', LONG, (baseURL) =>
    createGoogleGenerativeAI({ baseURL, apiKey }),
  ),
  vendor('Groq', 'groq.chat', 'openai/gpt-oss-120b', SHORT, (baseURL) => createGroq({ baseURL, apiKey })),
  vendor('Mistral', 'mistral.chat', 'mistral-large-latest', NINE, (baseURL) =>
    createMistral({ baseURL, apiKey }),
  ),
  vendor('OpenRouter', 'openrouter', 'anthropic/claude-sonnet-4.5', SHORT, (baseURL) =>
    createOpenRouter({ baseURL, apiKey }),
  ),
  vendor('Mistral on OpenRouter', 'openrouter', 'mistralai/mistral-small', NINE, (baseURL) =>
    createOpenRouter({ baseURL, apiKey }),
  ),
  vendor('compatible', 'local.chat', 'small', SHORT, (baseURL) =>
    createOpenAICompatible({ baseURL, name: 'local' }),
  ),
];

/**
 * A server that keeps the bodies of requests, and answers with a list of JSON bodies in turn, the last one for ever. A
 * body that is a list is a stream of its elements.
 */
export class RecordingServer implements AsyncDisposable {
  readonly bodies: string[] = [];

  private constructor(private readonly server: Server) {}

  static async start(status = 400, answers: readonly object[] = [REFUSAL]): Promise<RecordingServer> {
    const server = createServer();
    const recording = new RecordingServer(server);
    server.on('request', (request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
      request.on('end', () => {
        const answer = answers[Math.min(recording.bodies.push(body), answers.length) - 1];
        const type = Array.isArray(answer) ? 'text/event-stream' : 'application/json';
        response.writeHead(status, { 'content-type': type }).end(bodyOf(answer));
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return recording;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}/v1`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

const REFUSAL = { error: { message: 'recorded' } };

function bodyOf(answer: unknown): string {
  if (!Array.isArray(answer)) return JSON.stringify(answer);
  const events = answer.map((event: unknown) => `data: ${JSON.stringify(event)}\n\n`);
  return `${events.join('')}data: [DONE]\n\n`;
}
