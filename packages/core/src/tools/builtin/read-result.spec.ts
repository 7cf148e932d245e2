import { callsTool, callsTools, says, ScriptedModel } from '@adorn/testing';

import { agentTool, createRunner, defineAgent, FunctionTool, readResult, type Runner } from '../../index.js';

const ADDRESS = { userId: 'ada', sessionId: 's1' };

/** A text of which each line says its number: about 0.4 MB. */
const REPORT = Array.from({ length: 20_000 }, (_, line) => `line ${String(line)} of the report`).join('\n');

function reporting(result: unknown = REPORT, name = 'get_report'): FunctionTool {
  return new FunctionTool({ name, description: 'Gives a report.', run: () => result });
}

function declared(model: ScriptedModel, request: number): string[] {
  const tools = (model.requests[request]?.config.tools ?? []) as {
    functionDeclarations?: { name: string }[];
  }[];
  return tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name));
}

/** The response that a request ends with. */
function lastResponse(model: ScriptedModel, request = model.requests.length - 1): Record<string, unknown> {
  const parts = model.requests[request]?.contents.at(-1)?.parts ?? [];
  return parts.at(-1)?.functionResponse?.response ?? {};
}

async function clerk(model: ScriptedModel, tools = [reporting()]): Promise<Runner> {
  return createRunner(defineAgent({ name: 'clerk', instruction: '-', tools }), { model });
}

const GET = { name: 'get_report', id: 'c1' };

describe('a result that is too large for a model', () => {
  it('is read in ranges and searched, by a tool that is offered from then on', async () => {
    const model = new ScriptedModel(
      callsTools(GET),
      callsTool('read_result', { id: 'c1', from: 100_000, length: 50 }),
      callsTool('read_result', { id: 'c1', search: 'LINE 19999 of' }),
      says('Read.'),
    );
    const runner = await clerk(model);

    await runner.ask('Read it.', ADDRESS);

    expect(declared(model, 0)).toEqual(['get_report']);
    expect(declared(model, 1)).toEqual(['get_report', 'read_result']);
    expect(lastResponse(model, 1)['note']).toContain(
      'Call read_result with the id "c1" to read or search all of it.',
    );
    expect(lastResponse(model, 2)).toEqual({
      text: REPORT.slice(100_000, 100_050),
      from: 100_000,
      next: 100_050,
      total: REPORT.length,
    });
    expect(lastResponse(model, 3)).toEqual({
      matches: [{ at: REPORT.lastIndexOf('line'), text: REPORT.slice(REPORT.lastIndexOf('line') - 120) }],
      total: 1,
    });
  });

  it('is read whole, range after range', async () => {
    let text = '';
    const model = new ScriptedModel(
      callsTools({ ...GET }),
      ...Array.from({ length: 60 }, () => () => {
        const { text: part = '', next } = lastResponse(model);
        if (model.requests.length > 2) text += String(part);
        const from = model.requests.length === 2 ? 0 : next;
        return from === undefined
          ? says('Read.')
          : callsTool('read_result', { id: 'c1', from, length: 20_000 });
      }),
    );
    const runner = await clerk(model, [reporting('🦔'.repeat(50_001))]);

    await runner.ask('Read it.', ADDRESS).catch(() => undefined);

    expect(text).toBe('🦔'.repeat(50_001));
  });

  it('has places that are found page by page', async () => {
    const model = new ScriptedModel(
      callsTools(GET),
      callsTool('read_result', { id: 'c1', search: 'report', length: 300 }),
      says('Read.'),
    );
    await (await clerk(model)).ask('Read it.', ADDRESS);

    const { matches, next, total } = lastResponse(model);
    expect(total).toBe(20_000);
    expect(matches).toHaveLength(1);
    expect(REPORT.slice(Number(next)).startsWith('report')).toBe(true);
  });

  it('is listed without its id, with the arguments of its call', async () => {
    const model = new ScriptedModel(
      callsTools({ ...GET, args: {} }, { name: 'get_small', id: 'c2' }),
      callsTool('read_result'),
      says('Read.'),
    );
    await (await clerk(model, [reporting(), reporting('small', 'get_small')])).ask('Read it.', ADDRESS);

    expect(lastResponse(model)).toEqual({
      results: [{ id: 'c1', tool: 'get_report', args: '{}' }],
      total: 1,
    });
  });

  it('is read in a copy of the conversation, and not after a rewind', async () => {
    const model = new ScriptedModel(
      callsTools(GET),
      says('Read.'),
      callsTool('read_result', { id: 'c1', length: 6 }),
      says('Read again.'),
      callsTool('read_result', { id: 'c1' }),
      says('Gone.'),
    );
    const runner = await clerk(model);
    const { invocationId } = await runner.run({ ...ADDRESS, message: 'Read it.' });
    const copy = await runner.fork(ADDRESS);

    await runner.rewind({ ...ADDRESS, invocationId });
    await runner.run({ ...copy, message: 'Again.' });
    expect(lastResponse(model)['text']).toBe('line 0');

    await runner.run({ ...ADDRESS, message: 'Again.' });
    expect(declared(model, model.requests.length - 1)).toEqual(['get_report']);
    expect(lastResponse(model)['error']).toContain('There is no result with the id "c1"');
  });

  it('of an agent that runs as a tool is its own', async () => {
    const inner = defineAgent({
      name: 'inner',
      description: 'Reads.',
      instruction: '-',
      tools: [reporting()],
    });
    const outer = defineAgent({ name: 'outer', instruction: '-', tools: [agentTool(inner)] });
    const model = new ScriptedModel(
      callsTool('inner', { request: 'Read it.' }),
      callsTools(GET),
      says('Read.'),
      callsTool('read_result', { id: 'c1' }),
      says('Done.'),
    );
    const runner = await createRunner(outer, { model });

    await runner.ask('Go.', ADDRESS);

    expect(declared(model, 2)).toContain('read_result');
    expect(declared(model, 3)).toEqual(['inner']);
    expect(lastResponse(model)['error']).toContain('There is no result');
  });

  it('is not read past a callback that changed what models are told', async () => {
    const background = { format: { result: () => ({ result: 'secret', truncated: true, note: NOTE }) } };
    const NOTE = 'The full result is stored as artifact "tool-results/c1.json".';
    const tool = new FunctionTool({ name: 'get_report', description: '-', background, run: () => REPORT });
    const model = new ScriptedModel(
      callsTools(GET),
      says('Waits.'),
      callsTool('read_result', { id: 'c1' }),
      says('Done.'),
    );
    const runner = await clerk(model, [tool]);

    await runner.ask('Read it.', ADDRESS);

    expect(lastResponse(model)['text']).not.toContain('line 0');
  });

  it('leaves a tool of the application that has the name alone', async () => {
    const model = new ScriptedModel(callsTools(GET), callsTool('read_result'), says('Done.'));
    const own = new FunctionTool({ name: 'read_result', description: 'Own.', run: () => 'own' });
    const runner = await clerk(model, [reporting(), own]);

    await runner.ask('Read it.', ADDRESS);

    expect(declared(model, 1)).toEqual(['get_report', 'read_result']);
    expect(lastResponse(model, 1)['note']).not.toContain('read_result');
    expect(lastResponse(model)).toEqual({ result: 'own' });
  });

  it('has the tool in every request where the application lists it', async () => {
    const model = new ScriptedModel(callsTools(GET), says('Done.'));
    const tools = [reporting(), readResult()];
    const runner = await createRunner(defineAgent({ name: 'clerk', instruction: '-', tools }), { model });

    await runner.ask('Read it.', ADDRESS);

    expect([declared(model, 0), declared(model, 1)]).toEqual([
      ['get_report', 'read_result'],
      ['get_report', 'read_result'],
    ]);
  });

  it.each([
    ['a wrong type', { id: 7 }, 'id must be a string'],
    ['a place before the beginning', { id: 'c1', from: -1 }, 'from must be an integer from 0'],
    ['a search of nothing', { search: 'x' }, 'search needs the id of a result'],
    ['a parameter that is not there', { page: 2 }, 'page is not a parameter'],
  ])('is not read with %s', async (_what, args, problem) => {
    const model = new ScriptedModel(callsTools(GET), callsTool('read_result', args), says('Done.'));
    await (await clerk(model)).ask('Read it.', ADDRESS);

    expect(lastResponse(model)['error']).toContain(problem);
  });
});
