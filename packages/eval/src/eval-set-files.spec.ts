import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { agentTool, createRunner, defineAgent, FunctionTool, joinText, type Runner } from '@adorn/core';
import { callsTool, says, ScriptedModel } from '@adorn/testing';

import { openDesk, RefundModel } from './desk.fixture.js';
import { parseEvalConfig, parseEvalGates } from './eval-config.js';
import { type EvalStore, InMemoryEvalStore } from './eval-store.js';
import { evaluate } from './evaluate.js';
import { FolderEvalStore } from './folder-eval.store.js';
import { evalCaseOf, invocationsOf } from './invocations-of.js';
import { parseEvalSet, readEvalSet } from './read-eval-set.js';
import { metricsOf } from './metrics/named-metrics.js';
import { caseOf, openWeather, setOf } from './weather.fixture.js';
import { formatEvalSet } from './write-eval-set.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'adorn-eval-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

const ADK_CASE = {
  eval_id: 'oslo',
  conversation: [
    {
      invocation_id: 'i-1',
      user_content: { parts: [{ text: 'How is Oslo?', function_call: null, thought: null }], role: 'user' },
      final_response: { parts: [{ text: 'Clear.', inline_data: null }], role: 'model' },
      intermediate_data: {
        tool_uses: [{ id: null, name: 'get_weather', args: { city_name: 'Oslo' } }],
        intermediate_responses: [['weather', [{ text: 'I look.', file_data: null }]]],
      },
      creation_timestamp: 12.5,
    },
  ],
  session_input: { app_name: 'weather', user_id: 'ada', state: { some_key: 1 } },
  creation_timestamp: 12,
};

describe('an error of a file', () => {
  it.each<[object, string, string]>([
    [
      { eval_set_id: 'a', eval_cases: [{ eval_id: 'a', conversation: [{ intermediate_dat: {} }] }] },
      'at eval_cases[0].conversation[0]: there is no key intermediate_dat. Did you mean intermediate_data? Valid: invocation_id,',
      'An eval set is an object { eval_set_id, eval_cases: [{ eval_id,',
    ],
    [
      { evalSetId: 'a', evalCases: [{ evalId: 'a', conversation: [{ intermediateDat: {} }] }] },
      'at evalCases[0].conversation[0]: there is no key intermediateDat. Did you mean intermediateData? Valid: invocationId,',
      'An eval set is an object { evalSetId, evalCases: [{ evalId,',
    ],
  ])('names keys in the case of the file: %j', (json, place, form) => {
    expect(() => parseEvalSet(json)).toThrow(place);
    expect(() => parseEvalSet(json)).toThrow(form);
  });
});

describe('the files that the page shows', () => {
  it('are played, as adorn eval plays them', async () => {
    const path = 'samples/guides/evals/test_config.json';
    const config: unknown = JSON.parse(await readFile(path, 'utf8'));
    const { runner } = await openDesk(new RefundModel(), { idempotent: true });

    const report = await evaluate(runner, await readEvalSet('samples/guides/evals/refunds.evalset.json'), {
      metrics: await metricsOf(parseEvalConfig(config, path), () => new RefundModel()),
      gates: parseEvalGates(config, path),
      approve: () => true,
    });

    report.assertPassed();
    const names = report.caseResults.flatMap(({ overallEvalMetricResults }) =>
      overallEvalMetricResults.map(({ metricName }) => metricName),
    );
    expect(names).toEqual(['tool_trajectory_avg_score', 'faults', 'no_double_effect', 'max_tool_calls']);
  });
});

describe('an eval set of ADK', () => {
  it('is read', () => {
    const set = parseEvalSet({
      eval_set_id: 's',
      name: 'S',
      description: null,
      eval_cases: [ADK_CASE],
    });

    expect(set).toEqual({
      evalSetId: 's',
      name: 'S',
      evalCases: [
        {
          evalId: 'oslo',
          conversation: [
            {
              invocationId: 'i-1',
              userContent: { role: 'user', parts: [{ text: 'How is Oslo?' }] },
              finalResponse: { role: 'model', parts: [{ text: 'Clear.' }] },
              intermediateData: {
                toolUses: [{ name: 'get_weather', args: { city_name: 'Oslo' } }],
                intermediateResponses: [['weather', [{ text: 'I look.' }]]],
              },
              creationTimestamp: 12.5,
            },
          ],
          sessionInput: { appName: 'weather', userId: 'ada', state: { some_key: 1 } },
          creationTimestamp: 12,
        },
      ],
    });
  });

  it('is the same after it was written', () => {
    const set = parseEvalSet({ eval_set_id: 's', eval_cases: [ADK_CASE] });
    const text = formatEvalSet(set);

    expect(parseEvalSet(JSON.parse(text))).toEqual(set);
    expect(JSON.parse(text)).toMatchObject({
      eval_set_id: 's',
      eval_cases: [
        {
          eval_id: 'oslo',
          conversation: [{ intermediate_data: { tool_uses: [{ args: { city_name: 'Oslo' } }] } }],
          session_input: { state: { some_key: 1 } },
        },
      ],
    });
  });

  it('is read in camel case, with id for evalSetId and evalId', () => {
    const conversation = [{ userContent: { parts: [{ text: 'Hi' }] } }];

    expect(parseEvalSet({ id: 's', evalCases: [{ id: 'c', conversation }] })).toEqual({
      evalSetId: 's',
      evalCases: [
        { evalId: 'c', conversation: [{ userContent: { role: 'user', parts: [{ text: 'Hi' }] } }] },
      ],
    });
  });

  it('of the older form is one case, named after its file', async () => {
    const file = join(folder, 'cart.test.json');
    const turns = [
      { query: 'Hi', expected_tool_use: [], reference: 'Hello.' },
      { query: 'Cart?', expected_tool_use: [{ tool_name: 'read_cart', tool_input: { customer_id: '1' } }] },
    ];
    await writeFile(file, JSON.stringify(turns));

    await expect(readEvalSet(file)).resolves.toEqual({
      evalSetId: 'cart',
      evalCases: [
        {
          evalId: 'cart',
          conversation: [
            {
              userContent: { role: 'user', parts: [{ text: 'Hi' }] },
              finalResponse: { role: 'model', parts: [{ text: 'Hello.' }] },
              intermediateData: { toolUses: [] },
            },
            {
              userContent: { role: 'user', parts: [{ text: 'Cart?' }] },
              intermediateData: { toolUses: [{ name: 'read_cart', args: { customer_id: '1' } }] },
            },
          ],
        },
      ],
    });
  });

  it.each<[string, unknown, string]>([
    ['null', null, 'it is no object'],
    ['a text', 'set', 'it is no object'],
    ['no cases', { eval_set_id: 's' }, 'at eval_cases: it is no list'],
    [
      'a case without an id',
      { eval_cases: [{ conversation: [] }] },
      'at eval_cases[0].eval_id: it is missing',
    ],
    [
      'a case without turns',
      { eval_cases: [{ eval_id: 'a' }] },
      'at eval_cases[0].conversation: it is no list',
    ],
    [
      'a turn that says nothing',
      { eval_cases: [{ eval_id: 'a', conversation: [{}] }] },
      'at eval_cases[0].conversation[0].user_content: it says nothing',
    ],
    ['an id that is a number', { eval_cases: [{ eval_id: 7, conversation: [] }] }, 'it is 7, and no text'],
    ['an older turn without a query', [{ reference: 'Hi' }], 'at [0].query: it is missing'],
  ])('that is %s is refused with the place', (_what, json, message) => {
    expect(() => parseEvalSet(json, 'x.json')).toThrow(
      expect.objectContaining({
        code: 'EVAL_SET_INVALID',
        message: expect.stringContaining(message) as string,
      }) as Error,
    );
  });

  it('that is missing, or no JSON, is refused', async () => {
    const file = join(folder, 'a.evalset.json');
    await expect(readEvalSet(file)).rejects.toMatchObject({ code: 'EVAL_SET_INVALID' });
    await writeFile(file, '{');
    await expect(readEvalSet(file)).rejects.toThrow(/is no JSON/);
  });
});

describe('a case of a conversation', () => {
  it('passes with the agent that had it', async () => {
    const steps = [callsTool('get_weather', { city: 'Oslo' }), says('Oslo is clear.')];
    await using runner = await openWeather(...steps, ...steps);
    const { userId, sessionId, appName } = await runner.run({ userId: 'ada', message: 'How is Oslo?' });
    const session = await runner.sessions.getSession({ appName, userId, sessionId });
    if (!session) throw new Error('There is no session.');
    const evalCase = evalCaseOf('oslo', session);

    expect(evalCase.conversation).toMatchObject([
      {
        userContent: { parts: [{ text: 'How is Oslo?' }] },
        finalResponse: { parts: [{ text: 'Oslo is clear.' }] },
        intermediateData: { toolUses: [{ name: 'get_weather', args: { city: 'Oslo' } }] },
      },
    ]);
    expect((await evaluate(runner, setOf(evalCase))).status).toBe('passed');
  });
});

describe('the turns of a log', () => {
  const key = { userId: 'ada', sessionId: 's1' };
  const turnsOf = async (runner: Runner<unknown>): Promise<unknown[]> => {
    const session = await runner.sessions.getSession({ appName: runner.appName, ...key });
    return invocationsOf(session?.events ?? []).map(({ userContent, finalResponse, intermediateData }) => [
      joinText(userContent),
      joinText(finalResponse),
      intermediateData?.toolUses?.map(({ name }) => name),
    ]);
  };

  it('leave out what was rewound', async () => {
    await using runner = await openWeather(says('One.'), says('Two.'), says('Three.'));
    await runner.ask('First', key);
    const { invocationId } = await runner.run({ ...key, message: 'Wrong' });
    await runner.rewind({ ...key, invocationId });
    await runner.ask('Second', key);

    expect(await turnsOf(runner)).toEqual([
      ['First', 'One.', []],
      ['Second', 'Three.', []],
    ]);
  });

  it('have the call of an agent that is a tool, and not what it did', async () => {
    const look = new FunctionTool({ name: 'look', description: 'Looks.', run: () => 'clear' });
    const scout = defineAgent({ name: 'scout', description: 'Scouts.', instruction: 'Look.', tools: [look] });
    const chief = defineAgent({ name: 'chief', instruction: 'Ask.', tools: [agentTool(scout)] });
    const steps = [
      callsTool('scout', { request: 'Go' }),
      callsTool('look', {}),
      says('Clear.'),
      says('It is clear.'),
    ];
    await using runner = await createRunner(chief, { model: new ScriptedModel(...steps, ...steps) });
    await runner.ask('How is it?', key);

    expect(await turnsOf(runner)).toEqual([['How is it?', 'It is clear.', ['scout']]]);
    const session = await runner.sessions.getSession({ appName: runner.appName, ...key });
    const report = await evaluate(runner, setOf(evalCaseOf('same', session as never)));
    expect(report.status).toBe('passed');
  });

  it('have the calls of an agent to which the conversation was handed over', async () => {
    const look = new FunctionTool({ name: 'look', description: 'Looks.', run: () => 'clear' });
    const scout = defineAgent({ name: 'scout', description: 'Scouts.', instruction: 'Look.', tools: [look] });
    const chief = defineAgent({ name: 'chief', instruction: 'Ask.', subAgents: [scout] });
    const model = new ScriptedModel(
      callsTool('transfer_to_agent', { agentName: 'scout' }),
      callsTool('look', {}),
      says('Clear.'),
    );
    await using runner = await createRunner(chief, { model });
    await runner.ask('How is it?', key);

    expect(await turnsOf(runner)).toEqual([['How is it?', 'Clear.', ['transfer_to_agent', 'look']]]);
  });
});

describe.each<[string, () => EvalStore]>([
  ['in memory', () => new InMemoryEvalStore()],
  ['in a folder', () => new FolderEvalStore((appName) => join(folder, appName))],
])('eval sets %s', (_where, open) => {
  it('are kept by application', async () => {
    const store = open();
    const set = setOf(caseOf('oslo', 'Clear', [['get_weather', { city_name: 'Oslo' }]]));
    await store.saveSet('app', set);
    await store.saveSet('app', { ...set, evalSetId: 'another' });
    await store.saveSet('other', { ...set, evalSetId: 'theirs' });

    expect(await store.listSets('app')).toEqual(['another', 'weather']);
    expect(await store.listSets('none')).toEqual([]);
    expect(await store.getSet('app', 'weather')).toEqual(set);
    expect(await store.getSet('app', 'theirs')).toBeUndefined();

    await store.saveSet('app', { ...set, evalCases: [] });
    expect((await store.getSet('app', 'weather'))?.evalCases).toEqual([]);

    await store.deleteSet('app', 'weather');
    expect(await store.listSets('app')).toEqual(['another']);
    await store.deleteSet('app', 'weather');
  });

  it('have results, the latest first', async () => {
    const store = open();
    const resultAt = (creationTimestamp: number) => ({
      evalSetResultId: `app_weather_${String(creationTimestamp)}`,
      ...{ evalSetId: 'weather', creationTimestamp, evalCaseResults: [] },
    });
    await store.saveResult('app', resultAt(9.5));
    await store.saveResult('app', resultAt(10.25));

    expect(await store.listResults('app')).toEqual(['app_weather_10.25', 'app_weather_9.5']);
    expect(await store.getResult('app', 'app_weather_9.5')).toEqual(resultAt(9.5));
    expect(await store.getResult('app', 'none')).toBeUndefined();
    expect(await store.listResults('other')).toEqual([]);
  });
});

describe('eval sets in a folder', () => {
  it.each(['../x', 'a/b', '', '.hidden', 'x'.repeat(200), 'a..b', 'a\0b'])('refuse the id %j', async (id) => {
    const store = new FolderEvalStore(folder);

    await expect(store.saveSet('app', { evalSetId: id, evalCases: [] })).rejects.toMatchObject({
      code: 'EVAL_SET_INVALID',
    });
    await expect(store.deleteSet('app', id)).rejects.toMatchObject({ code: 'EVAL_SET_INVALID' });
    expect(await store.getSet('app', id)).toBeUndefined();
    expect(await store.getResult('app', id)).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
  });

  it('are files that ADK reads', async () => {
    await new FolderEvalStore(folder).saveSet('app', setOf());

    expect(await readdir(folder)).toEqual(['weather.evalset.json']);
  });
});
