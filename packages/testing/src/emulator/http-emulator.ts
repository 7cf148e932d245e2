import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { failsWith } from './fault-steps.js';
import type { GeminiCaches } from './gemini-caches.js';
import { type GeminiRequest, readBody, readRequest } from './gemini-request.js';
import { type GeminiScript, ScriptReader } from './gemini-script.js';
import type { GeminiStep } from './gemini-step.js';
import { playStep } from './play-step.js';
import type { Wire } from './wires/wire.js';

export interface ModelEmulatorOptions {
  /** Called with each request as it comes, before its answer. */
  readonly onRequest?: (request: GeminiRequest) => void;
}

/** A running emulator of a model provider's API. */
export interface ModelEmulator extends AsyncDisposable {
  /** Where it listens, such as `http://127.0.0.1:40123`. */
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

/** Starts an HTTP server on a free port of 127.0.0.1 that speaks one API, in one or several forms. */
export async function startEmulator(
  wires: readonly Wire[],
  script: GeminiScript,
  options: ModelEmulatorOptions,
  caches?: GeminiCaches,
): Promise<ModelEmulator> {
  const emulator = new HttpEmulator(wires, script, options, caches);
  await emulator.listen();
  return emulator;
}

class HttpEmulator implements ModelEmulator {
  readonly requests: GeminiRequest[] = [];
  private readonly reader: ScriptReader;
  private readonly server: Server;

  constructor(
    private readonly wires: readonly Wire[],
    script: GeminiScript,
    private readonly options: ModelEmulatorOptions,
    private readonly caches: GeminiCaches | undefined,
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
    const body = await readBody(incoming);
    const aboutCaches = this.caches?.answer(incoming, body);
    if (aboutCaches) return playStep(aboutCaches, false, response);
    const found = readRequest(incoming, body, this.wires);
    if (!found) return playStep(unknownPath(incoming, this.wires), false, response, this.wires[0]);
    const { request, wire } = found;
    this.requests.push(request);
    this.options.onRequest?.(request);
    const refusal = this.caches?.refusalOf(request.body);
    await playStep(refusal ?? (await this.stepFor(request)), request.stream, response, wire);
  }

  private async stepFor(request: GeminiRequest): Promise<GeminiStep> {
    try {
      const step = await this.reader.next(request);
      return this.caches?.counted(step, request.body) ?? step;
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

function unknownPath({ method = '', url = '' }: IncomingMessage, wires: readonly Wire[]): GeminiStep {
  const path = url.replace(/\?.*/, '');
  const known = wires.map(({ paths }) => paths).join(', ');
  const message = `The emulator does not know ${method} ${path}, or its body is not JSON. It speaks POST ${known}.`;
  return failsWith(404, { message });
}
