import type { ServerResponse } from 'node:http';

import { toolPolicies } from '@adorn/policies';
import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';
import { createRunner, defineAgent, ToolError, withOptions } from '@adorn/core';

import { callThrough, documentWith, EchoApi, type SeenRequest } from './echo-api.fixture.js';
import { openApiToolset, type OpenApiToolset } from './openapi.toolset.js';
import type { OpenApiToolsetOptions } from './options.js';

let api: EchoApi;
beforeEach(async () => {
  api = await EchoApi.start();
  jest.spyOn(console, 'warn').mockReturnValue();
});
afterEach(async () => {
  await api.stop();
  jest.restoreAllMocks();
});

const HOURS = documentWith({
  '/hours': { get: { operationId: 'getHours' } },
  '/tickets': {
    post: { operationId: 'buyTicket' },
    put: { operationId: 'replaceTicket' },
    delete: { operationId: 'cancelTicket' },
  },
});
const OPEN = { status: 200, body: { ok: true } };
const AT_ONCE = { attempts: 3, delayMs: 0 };

describe('retry of openApiToolset', () => {
  it.each([408, 425, 429, 500, 502, 503, 504])('repeats a read that is answered with %i', async (status) => {
    answering(status, 200);

    expect(await callThrough(museum(), 'get_hours', {})).toEqual(OPEN);
    expect(api.seen).toHaveLength(2);
  });

  it.each([400, 403, 404, 409, 422, 501])(
    'does not repeat a read that is answered with %i',
    async (status) => {
      answering(status, 200);

      expect(await callThrough(museum(), 'get_hours', {})).toMatchObject({ status });
      expect(api.seen).toHaveLength(1);
    },
  );

  it('gives the status of the last attempt as a result', async () => {
    answering(503, 502, 503, 200);

    expect(await callThrough(museum(), 'get_hours', {})).toEqual({ status: 503, body: 'closed' });
    expect(api.seen).toHaveLength(3);
  });

  it('repeats nothing without the option', async () => {
    answering(503, 200);
    const toolset = openApiToolset(HOURS, { baseUrl: api.url });

    expect(await callThrough(toolset, 'get_hours', {})).toMatchObject({ status: 503 });
    expect(api.seen).toHaveLength(1);
  });

  it('repeats a status also where withOptions gives the tool its retry', async () => {
    answering(503, 200);
    const toolset = openApiToolset(HOURS, { baseUrl: api.url });
    const [tool] = await toolset.listTools();
    const tools = tool ? [withOptions(tool, { retry: AT_ONCE })] : [];
    const model = new ScriptedModel(callsTool('get_hours'), says('Done.'));
    const clerk = defineAgent({ name: 'clerk', tools });
    await using runner = await createRunner(clerk, { model, modules: [toolPolicies] });

    await runner.run({ userId: 'ada', message: 'Go.' });

    expect(api.seen).toHaveLength(2);
    await toolset.close();
  });

  it.each(['buy_ticket', 'replace_ticket', 'cancel_ticket'])(
    'does not repeat %s, which writes',
    async (name) => {
      answering(503, 200);

      expect(await callThrough(museum({ confirm: false }), name, {})).toMatchObject({ status: 503 });
      expect(api.seen).toHaveLength(1);
    },
  );

  it('repeats a write where unsafe allows it, with the same key', async () => {
    answering(503, 200);
    const toolset = museum({
      retry: { ...AT_ONCE, unsafe: true },
      hooks: {
        beforeRequest: ({ headers }, _operation, { idempotencyKey }) => {
          headers.set('idempotency-key', idempotencyKey);
        },
      },
    });

    expect(await callThrough(toolset, 'buy_ticket', {})).toEqual(OPEN);
    const keys = api.seen.map(({ headers }) => headers['idempotency-key']);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  });

  it.each([
    ['seconds', '0'],
    ['a date', 'Thu, 01 Jan 2026 00:00:00 GMT'],
  ])('takes Retry-After in %s in place of its own delay', async (_form, value) => {
    answering(503, 200);
    retryAfter(value);

    const retry = { attempts: 2, delayMs: 60_000, maxDelayMs: 60_000 };
    expect(await callThrough(museum({ retry }), 'get_hours', {})).toEqual(OPEN);
  });

  it('waits as long as Retry-After says', async () => {
    answering(429, 200);
    retryAfter('0.3');
    const began = performance.now();

    expect(await callThrough(museum(), 'get_hours', {})).toEqual(OPEN);
    expect(performance.now() - began).toBeGreaterThan(290);
  });

  it.each(['31', 'Thu, 01 Jan 2099 00:00:00 GMT'])(
    'does not repeat a read where Retry-After is %s: longer than maxDelayMs',
    async (value) => {
      answering(503, 200);
      retryAfter(value);

      expect(await callThrough(museum(), 'get_hours', {})).toEqual({ status: 503, body: 'closed' });
      expect(api.seen).toHaveLength(1);
    },
  );

  it('repeats a read that takes too long, and gives each attempt the whole time', async () => {
    const timeout = 600;
    script(ignore, (_request, response) => setTimeout(() => response.end('open'), timeout * 0.6));
    const began = performance.now();

    expect(await callThrough(museum({ timeout }), 'get_hours', {})).toEqual({ status: 200, body: 'open' });
    expect(performance.now() - began).toBeGreaterThan(timeout * 1.5);
    expect(api.seen).toHaveLength(2);
  });

  it('repeats a read whose connection breaks', async () => {
    script(
      (_request, response) => response.destroy(),
      (_request, response) => response.end('open'),
    );

    expect(await callThrough(museum(), 'get_hours', {})).toEqual({ status: 200, body: 'open' });
  });

  it('tells the model what failed last where the server dies between two attempts', async () => {
    const mortal = await EchoApi.start();
    let death: Promise<void> | undefined;
    mortal.answer = (_request, response) => {
      response.writeHead(503, { connection: 'close' }).end(() => {
        death = mortal.stop();
      });
    };

    const result = await callThrough(
      museum({ baseUrl: mortal.url, retry: { attempts: 2, delayMs: 400 } }),
      'get_hours',
      {},
    );

    expect(result).toEqual({
      error: expect.stringContaining('could not be reached (ECONNREFUSED)') as unknown,
    });
    expect(mortal.seen).toHaveLength(1);
    await death;
  });

  it('does not repeat a read whose response is too large, or redirects without end', async () => {
    script((_request, response) => response.end('x'.repeat(2_000)));
    expect(await callThrough(museum({ maxBytes: 1_000 }), 'get_hours', {})).toHaveProperty('error');
    expect(api.seen).toHaveLength(1);

    script((_request, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end());
    expect(await callThrough(museum(), 'get_hours', {})).toHaveProperty('error');
    expect(api.seen).toHaveLength(2);
  });

  it('asks a person once, before the first attempt', async () => {
    answering(503, 200);
    const tools = [museum({ confirm: ['getHours'] })];
    const model = new ScriptedModel(callsTool('get_hours'), says('Done.'));
    const clerk = defineAgent({ name: 'clerk', tools });
    await using runner = await createRunner(clerk, { model, modules: [toolPolicies] });
    const { pending } = await runner.run({ userId: 'ada', sessionId: 's1', message: 'Go.' });

    expect([pending.map(({ kind }) => kind), api.seen]).toEqual([['confirmation'], []]);
    const [request] = pending;
    const events = request ? await eventsOf(runner.approve(request, { by: 'ada' })) : [];

    expect(
      events.flatMap(({ functionResponses }) => functionResponses.map(({ response }) => response)),
    ).toEqual([OPEN]);
    expect(api.seen).toHaveLength(2);
  });

  it('calls the hooks around each attempt, and goes by the status that they leave', async () => {
    answering(503, 404, 200);
    const seen: unknown[] = [];
    const toolset = museum({
      hooks: {
        beforeRequest: ({ method }) => void seen.push(method),
        afterResponse: (result) => {
          seen.push(result.status);
          return result.status === 404 ? { status: 503, body: 'hidden' } : undefined;
        },
      },
    });

    expect(await callThrough(toolset, 'get_hours', {})).toEqual(OPEN);
    expect(seen).toEqual(['GET', 503, 'GET', 404, 'GET', 200]);
  });

  it.each([
    [false, 3],
    [true, 1],
  ])('takes an error of a hook for a failed attempt, unless it is final (%p)', async (final, attempts) => {
    const afterResponse = (): never => {
      throw new ToolError('Not today.', { final });
    };

    expect(await callThrough(museum({ hooks: { afterResponse } }), 'get_hours', {})).toEqual({
      error: 'Not today.',
    });
    expect(api.seen).toHaveLength(attempts);
  });

  it('needs a runner that has policies', async () => {
    const model = new ScriptedModel(callsTool('get_hours'), says('Done.'));
    await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [museum()] }), { model });

    const { events } = await runner.run({ userId: 'ada', message: 'Go.' });

    expect(JSON.stringify(events)).toContain('The tool failed (PoliciesMissingError)');
    expect(api.seen).toEqual([]);
  });
});

function museum(options: OpenApiToolsetOptions = {}): OpenApiToolset {
  return openApiToolset(HOURS, { baseUrl: api.url, retry: AT_ONCE, ...options });
}

type Answer = (request: SeenRequest, response: ServerResponse) => void;

/** Answers requests in turn; the last answer is for all that follow. */
function script(...answers: readonly Answer[]): void {
  const first = api.seen.length;
  api.answer = (request, response) =>
    answers[Math.min(api.seen.length - first, answers.length) - 1]?.(request, response);
}

/** Answers requests in turn with these statuses. */
function answering(...statuses: readonly number[]): void {
  script(
    ...statuses.map((status): Answer => (_request, response) => {
      const type = status === 200 ? 'application/json' : 'text/plain';
      response.writeHead(status, { 'content-type': type });
      response.end(status === 200 ? '{"ok":true}' : 'closed');
    }),
  );
}

/** Adds the header to every response. */
function retryAfter(value: string): void {
  const { answer } = api;
  api.answer = (request, response) => {
    response.setHeader('retry-after', value);
    answer(request, response);
  };
}

function ignore(): void {
  // Never answers.
}
