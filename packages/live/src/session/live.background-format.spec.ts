import {
  callsLive,
  callsTool,
  cancelsCalls,
  says,
  ScriptedModel,
  untilResponse,
  untilText,
} from '@adorn/testing';

import { defineAgent, FunctionTool } from '@adorn/core';
import type { ResponseFormat } from '@adorn/core/backend';
import { createRunner, KEY, settled, startLive, storedOf, until } from './live.fixture.js';

const FORMAT: ResponseFormat = {
  running: ({ args }) => ({ status: 'searching', query: args['query'] }),
  result: ({ name }, { result, error }) =>
    error === undefined ? { status: 'done', tool: name, result } : { status: 'error', error },
  cancelled: ({ id }) => ({ status: 'cancelled', id }),
};

describe('the format of a background tool', () => {
  it('is what a live model reads; the log keeps the responses', async () => {
    const { live, model, runner } = await startLive({ tools: [search(() => 'found')] }, [
      untilText(),
      callsLive('search', { query: 'debt' }, 'c1'),
      untilResponse('c1', 2),
    ]);
    live.sendText('Search.');
    await until(live, ({ functionResponses }) =>
      functionResponses.some(({ response }) => response?.['result']),
    );
    await settled();
    await live.close();

    expect(model.connection.responses.map(({ response }) => response)).toEqual([
      { status: 'searching', query: 'debt' },
      { status: 'done', tool: 'search', result: 'found' },
    ]);
    expect((await storedOf(runner)).at(-1)).toBe('clerk ← c1 {"result":"found"}');
  });

  it('is what a model of a text run reads, of an error too', async () => {
    const model = new ScriptedModel(
      callsTool('search', { query: 'debt' }),
      says('I search.'),
      says('It broke.'),
    );
    const broken = search(() => {
      throw new Error('down');
    });
    await using runner = await createRunner(defineAgent({ name: 'clerk', model, tools: [broken] }));
    await runner.run({ ...KEY, message: 'Search.' });

    const read = JSON.stringify(model.requests.at(-1)?.contents);
    expect(read).toContain('"status":"error"');
    expect(JSON.stringify(model.requests[1]?.contents)).toContain('"status":"searching"');
  });

  it('says of a call that the model has cancelled what later models read', async () => {
    const never = search(() => new Promise(() => undefined));
    const { live, runner, model } = await startLive({ tools: [never] }, [
      untilText(),
      callsLive('search', { query: 'debt' }, 'c1'),
      untilResponse('c1'),
      cancelsCalls('c1'),
    ]);
    live.sendText('Search.');
    await until(live, ({ functionResponses }) =>
      functionResponses.some(({ response }) => response?.['error'] !== undefined),
    );
    await live.close();
    const next = runner.live({ ...KEY, model });
    await until(next, ({ live: notice }) => notice?.kind === 'connected');
    await next.close();

    expect(JSON.stringify(model.connection.setup.history)).toContain('"status":"cancelled","id":"c1"');
  });

  it('hides a response that it cannot format', async () => {
    const tool = search(() => 'card 4711', {
      result: () => {
        throw new Error('no format');
      },
    });
    const { live, model } = await startLive({ tools: [tool] }, [
      untilText(),
      callsLive('search', {}, 'c1'),
      untilResponse('c1', 2),
    ]);
    live.sendText('Search.');
    await until(live, ({ functionResponses }) =>
      functionResponses.some(({ response }) => response?.['result']),
    );
    await settled();
    await live.close();

    expect(model.connection.responses.at(-1)?.response).toEqual({
      error: 'The response could not be formatted.',
    });
  });

  it.each([
    ['no object', 'json'],
    ['no functions', { running: 1 }],
    ['an unknown name', { runing: () => ({}) }],
  ])('is refused: %s', (_what, format) => {
    expect(() => search(() => 1, format as ResponseFormat)).toThrow(/in background, .*format/);
  });
});

function search(run: () => unknown, format: ResponseFormat = FORMAT): FunctionTool {
  return new FunctionTool({
    name: 'search',
    description: 'Searches.',
    parameters: { type: 'object', properties: { query: { type: 'string' } } },
    background: { format },
    run,
  });
}
