import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { failsWith } from './fails-with.js';
import { type GeminiRequest, readGeminiRequest } from './gemini-request.js';
import { type GeminiScript, ScriptReader } from './gemini-script.js';
import type { GeminiStep } from './gemini-step.js';
import { playStep } from './play-step.js';

export interface GeminiEmulatorOptions {
  /** Called with each request as it comes, before its answer. */
  readonly onRequest?: (request: GeminiRequest) => void;
}

/** A running emulator. */
export interface GeminiEmulator extends AsyncDisposable {
  /** Where it listens, such as `http://127.0.0.1:40123`: the `baseUrl` of a `GeminiModel`. */
  readonly url: string;
  /** Every request it was asked, in order. */
  readonly requests: readonly GeminiRequest[];
  /**
   * Throws where the script does not fit what happened.
   *
   * @throws EmulatorExhaustedError when it was asked more often than the script has steps.
   * @throws EmulatorLeftOverError when steps are left over.
   */
  assertDone(): void;
  /** Closes all connections, then does the same as `assertDone`. */
  close(): Promise<void>;
}

/** Longer than any client waits, so clients do not retry requests beyond the script. */
const DO_NOT_RETRY = 86_400;

/**
 * Starts an HTTP server on a free port of 127.0.0.1 that speaks Gemini's wire: `generateContent`,
 * `streamGenerateContent` and `batchEmbedContents`, in the paths of the Gemini API and of Vertex AI (where texts are
 * embedded by `predict`). It answers by the script; what the
 * script does not hold is answered with status 500 and remembered for `close`.
 *
 * @example
 * await using gemini = await startGeminiEmulator([callsFunctions({ name: 'now' }), saysText('Noon.')]);
 * const model = new GeminiModel({ baseUrl: gemini.url, apiKey: 'test' });
 */
export async function startGeminiEmulator(
  script: GeminiScript,
  options: GeminiEmulatorOptions = {},
): Promise<GeminiEmulator> {
  const emulator = new HttpEmulator(script, options);
  await emulator.listen();
  return emulator;
}

class HttpEmulator implements GeminiEmulator {
  readonly requests: GeminiRequest[] = [];
  private readonly reader: ScriptReader;
  private readonly server: Server;

  constructor(
    script: GeminiScript,
    private readonly options: GeminiEmulatorOptions,
  ) {
    this.reader = new ScriptReader(script);
    this.server = createServer((incoming, response) => {
      this.answer(incoming, response).catch((error: unknown) => {
        response.destroy(error instanceof Error ? error : undefined);
      });
    });
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(0, '127.0.0.1', resolve);
    });
  }

  assertDone(): void {
    this.reader.assertDone();
  }

  async close(): Promise<void> {
    await this.hangUp();
    this.assertDone();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  private async answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readGeminiRequest(incoming);
    if (request === undefined) return playStep(unknownPath(incoming), false, response);
    this.requests.push(request);
    this.options.onRequest?.(request);
    await playStep(await this.stepFor(request), request.stream, response);
  }

  private async stepFor(request: GeminiRequest): Promise<GeminiStep> {
    try {
      return await this.reader.next(request);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return failsWith(500, { message, retryAfter: DO_NOT_RETRY });
    }
  }

  private hangUp(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => {
        resolve();
      });
      this.server.closeAllConnections();
    });
  }
}

function unknownPath({ method = '', url = '' }: IncomingMessage): GeminiStep {
  const path = url.replace(/\?.*/, '');
  const message =
    `The Gemini emulator does not know ${method} ${path}, or its body is not JSON. ` +
    'It speaks POST /{version}/models/{model}:generateContent, :streamGenerateContent, :batchEmbedContents and :predict.';
  return failsWith(404, { message });
}
