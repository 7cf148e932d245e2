import type { CreateRunnerOptions, Runner } from '@adorn/core';
import type { ScriptedStep } from '@adorn/testing';

import { type AdornHandler, adornHandler } from './adorn-handler.js';
import { openDesk } from './desk.fixture.js';
import type { HandlerOptions } from './server-options.js';

/** A request of a test. `body` is sent as JSON. */
export interface TestRequest {
  readonly method?: string;
  readonly body?: unknown;
  readonly user?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** A handler whose users are named by the header `x-user`; `dev` is a developer. */
export class TestDesk implements AsyncDisposable {
  private constructor(
    readonly runner: Runner,
    readonly handler: AdornHandler,
  ) {}

  static async open(
    steps: readonly ScriptedStep[],
    options: Partial<HandlerOptions> = {},
    runnerOptions: CreateRunnerOptions = {},
  ): Promise<TestDesk> {
    const runner = await openDesk(steps, runnerOptions);
    const authenticate = ({ headers }: Request) => {
      const userId = headers.get('x-user') ?? undefined;
      return userId === 'dev' ? { userId, isDeveloper: true } : userId;
    };
    return new TestDesk(runner, await adornHandler(runner, { authenticate, ...options }));
  }

  send(
    path: string,
    { method, body, user = 'ada', headers = {}, signal }: TestRequest = {},
  ): Promise<Response> {
    const isJson = body !== undefined;
    const init: RequestInit = {
      method: method ?? (isJson ? 'POST' : 'GET'),
      headers: {
        host: 'localhost',
        'x-user': user,
        ...(isJson && { 'content-type': 'application/json' }),
        ...headers,
      },
    };
    if (isJson) init.body = typeof body === 'string' ? body : JSON.stringify(body);
    if (signal !== undefined) init.signal = signal;
    return this.handler(new Request(`http://localhost${path}`, init));
  }

  async json<Value = Record<string, unknown>>(path: string, request?: TestRequest): Promise<Value> {
    return (await (await this.send(path, request)).json()) as Value;
  }

  /** Creates a session of a user. */
  async session(id: string, user = 'ada'): Promise<void> {
    await this.runner.sessions.createSession({ appName: 'desk', userId: user, sessionId: id });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.handler.close();
    await this.runner.close();
  }
}

/** The `data` of server-sent events. */
export async function dataOf(response: Response): Promise<Record<string, unknown>[]> {
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: '));
  return lines.map((line) => JSON.parse(line.slice('data: '.length)) as Record<string, unknown>);
}
