import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

import { defineAgent, createRunner, FunctionTool, Model } from '@adorn/core';
import { callsTool, says, ScriptedModel } from '@adorn/testing';

import { parseEvalConfig } from './eval-config.js';
import { evaluate } from './evaluate.js';
import { metricsOf } from './metrics/named-metrics.js';
import { responseMatch } from './metrics/response-match.js';
import { toolTrajectory } from './metrics/tool-trajectory.js';
import { parseEvalSet } from './read-eval-set.js';
import { openWeather } from './weather.fixture.js';
import { formatEvalSet } from './write-eval-set.js';

/** What an eval file leaves to its user: the keys inside are not those of an eval set. */
const FOREIGN = /^(?:args|state|response|tool_?input|final_?session_?state|usage_?metadata|app_?details)$/i;

const CALL = { id: null, name: 'get_weather', args: { city: 'Oslo' } };

/** A set with every key that ADK writes: what was done is a list of calls. */
const CALLS = setWith({
  tool_uses: [CALL],
  tool_responses: [{ id: null, name: 'get_weather', response: { sky: 'clear' } }],
  intermediate_responses: [['weather', [{ text: 'I look.', thought: null }]]],
});

/** The same, where what was done is a list of events. */
const EVENTS = setWith({
  invocation_events: [
    {
      author: 'weather',
      content: { role: 'model', parts: [{ function_call: CALL, text: null }] },
      grounding_metadata: null,
      usage_metadata: { total_token_count: 7 },
      model_version: 'm',
      invocation_index: 0,
      tool_use_index: 0,
    },
    { author: 'weather', content: null },
  ],
});

/** ADK's first eval sets. */
const OLDER_CASES = [
  {
    name: 'oslo',
    data: [
      {
        query: 'How is Oslo?',
        expected_tool_use: [
          { tool_name: 'get_weather', tool_input: { city: 'Oslo' }, mock_tool_output: 'x' },
        ],
        expected_intermediate_agent_responses: [{ author: 'weather', text: 'I look.' }],
        reference: 'Oslo is clear.',
      },
    ],
    initial_session: { state: { unit: 'C' }, app_name: 'weather', user_id: '' },
  },
];

const FORMS: readonly (readonly [string, unknown])[] = [
  ['with calls', CALLS],
  ['with events', EVENTS],
  ['with calls, in camel case', camel(CALLS)],
  ['with events, in camel case', camel(EVENTS)],
  ['of older cases', OLDER_CASES],
  ['of older turns', OLDER_CASES[0]?.data],
];

describe('an eval set', () => {
  it.each(FORMS)('%s is played, and passes with what it expects', async (_form, json) => {
    await using runner = await openWeather(
      callsTool('get_weather', { city: 'Oslo' }),
      says('Oslo is clear.'),
    );
    const set = parseEvalSet(json);

    const report = await evaluate(runner, set, { metrics: [toolTrajectory(), responseMatch()] });

    report.assertPassed();
    expect(parseEvalSet(JSON.parse(formatEvalSet(set)), 'weather')).toEqual({
      ...set,
      evalSetId: set.evalSetId,
    });
  });

  it.each(FORMS)('%s does not pass with another argument', async (_form, json) => {
    await using runner = await openWeather(
      callsTool('get_weather', { city: 'Rome' }),
      says('Oslo is clear.'),
    );

    const report = await evaluate(runner, parseEvalSet(json), { metrics: [toolTrajectory()] });

    expect(report.status).toBe('failed');
    expect(() => {
      report.assertPassed();
    }).toThrow(/found {5}get_weather \{"city":"Rome"\}/);
  });

  it.each(FORMS)('%s is refused with any key misspelt, and the right one is named', (_form, json) => {
    const paths = keysOf(json);
    expect(paths.length).toBeGreaterThan(3);
    for (const path of paths) {
      const key = String(path.at(-1));
      const message = refusalOf(() => parseEvalSet(renamed(json, path, misspelt(key))));
      expect([path.join('.'), message]).toEqual([path.join('.'), expect.stringContaining(misspelt(key))]);
      expect([path.join('.'), message]).toEqual([path.join('.'), expect.stringContaining(key)]);
    }
  });

  it.each(FORMS)('%s is refused with a value of another type', (_form, json) => {
    for (const path of keysOf(json)) {
      const isNotRead =
        /metadata$|version$|mock_tool_output|index$|_input$|call_?count$|duration$|app_?details$/i.test(
          String(path.at(-1)),
        );
      if (isNotRead) continue;
      expect([path.join('.'), refusalOf(() => parseEvalSet(replaced(json, path, 5, false)))]).toEqual([
        path.join('.'),
        /creation_?timestamp/i.test(String(path.at(-1))) ? undefined : expect.any(String),
      ]);
      const isList = Array.isArray(valueAt(json, path));
      expect([
        path.join('.'),
        refusalOf(() => parseEvalSet(replaced(json, path, isList ? {} : [], true))),
      ]).toEqual([path.join('.'), expect.any(String)]);
    }
  });

  it('with calls and events, or the same key twice, is refused', () => {
    const both = setWith({ tool_uses: [], invocation_events: [] });
    expect(refusalOf(() => parseEvalSet(both))).toContain('it has toolUses and invocationEvents');
    expect(refusalOf(() => parseEvalSet({ eval_cases: [], evalCases: [] }))).toContain(
      'it has eval_cases and evalCases',
    );
  });

  it('with a conversation beside a scenario is refused', () => {
    const scenario = { starting_prompt: 'Hi', conversation_plan: 'Ask.' };
    const conversation = [{ user_content: { parts: [{ text: 'Hi' }] } }];
    const both = { eval_cases: [{ eval_id: 'a', conversation, conversation_scenario: scenario }] };
    expect(refusalOf(() => parseEvalSet(both))).toContain('it has a conversation and a conversationScenario');
  });

  it('whose intermediate data is empty expects no calls, as ADK writes it', async () => {
    await using runner = await openWeather(
      callsTool('get_weather', { city: 'Oslo' }),
      says('Oslo is clear.'),
    );

    const report = await evaluate(runner, parseEvalSet(setWith({})), { metrics: [toolTrajectory()] });

    expect(report.status).toBe('failed');
  });
});

describe('the criteria of a file', () => {
  const CONFIG = {
    criteria: {
      tool_trajectory_avg_score: { threshold: 1, match_type: 'EXACT' },
      response_match_score: 0.5,
      final_response_match_v2: {
        threshold: 0.5,
        judge_model_options: { judge_model: 'm', num_samples: 3 },
      },
    },
    user_simulator_config: null,
  };

  it('are refused with any key misspelt, and the right one is named', async () => {
    const read = async (json: unknown) => metricsOf(parseEvalConfig(json), () => new ScriptedModel());
    await expect(read(CONFIG)).resolves.toHaveLength(3);
    for (const path of keysOf(CONFIG).filter((one) => valueAt(CONFIG, one) !== null)) {
      const key = String(path.at(-1));
      const refusal = await read(renamed(CONFIG, path, misspelt(key))).then(
        () => 'accepted',
        (error: unknown) => String(error),
      );
      expect([path.join('.'), refusal]).toEqual([
        path.join('.'),
        expect.stringMatching(new RegExp(`${key}|${camelKey(key)}`)),
      ]);
    }
  });

  it('are refused without criteria, or with functions of Python', () => {
    expect(() => parseEvalConfig({})).toThrow(/criteria is missing/);
    expect(() => parseEvalConfig({ criteria: {}, custom_metrics: { a: {} } })).toThrow(/functions of Python/);
  });
});

describe('nothing evaluated', () => {
  const turn = { user_content: { parts: [{ text: 'Hi' }] } };
  const answer = { ...turn, final_response: { parts: [{ text: 'Hello' }] } };

  it.each<[string, readonly object[], string]>([
    ['no cases', [], 'The eval set has no cases: nothing was evaluated.'],
    ['a case without turns', [{ eval_id: 'a', conversation: [] }], 'no expectations'],
    ['a case that expects nothing', [{ eval_id: 'a', conversation: [turn] }], 'no expectations'],
    [
      'a case that expects an empty answer',
      [{ eval_id: 'a', conversation: [{ ...turn, final_response: { parts: [{ text: '' }] } }] }],
      'no expectations',
    ],
    [
      'a case beside one that passes',
      [
        { eval_id: 'a', conversation: [answer] },
        { eval_id: 'b', conversation: [turn] },
      ],
      'no expectations  b',
    ],
  ])('is not passed: %s', async (_what, eval_cases, words) => {
    await using runner = await openWeather(says('Hello'), says('Hello'));

    const report = await evaluate(runner, parseEvalSet({ eval_set_id: 's', eval_cases }));

    expect(report.status).toBe('notEvaluated');
    expect(() => {
      report.assertPassed();
    }).toThrow(
      expect.objectContaining({
        code: 'EVALS_FAILED',
        message: expect.stringContaining(words) as string,
      }) as Error,
    );
  });

  it('of a metric that was asked for is not passed, and of a default one is', async () => {
    const set = parseEvalSet({ eval_set_id: 's', eval_cases: [{ eval_id: 'a', conversation: [answer] }] });
    await using runner = await openWeather(says('Hello'), says('Hello'));

    const asked = await evaluate(runner, set, { metrics: [toolTrajectory(), responseMatch()] });

    expect(asked.status).toBe('notEvaluated');
    expect(() => {
      asked.assertPassed();
    }).toThrow('No case expects anything that tool_trajectory_avg_score looks at.');
    expect((await evaluate(runner, set)).status).toBe('passed');
  });
});

describe('the final state of a case', () => {
  const setOfState = (final_session_state: object) =>
    parseEvalSet({
      eval_set_id: 's',
      eval_cases: [
        {
          eval_id: 'a',
          conversation: [{ user_content: { parts: [{ text: 'Hi' }] } }],
          session_input: { app_name: 'x', user_id: 'u', state: { order: { status: 'open' }, left: 1 } },
          final_session_state,
        },
      ],
    });

  it.each([
    ['is reached', { order: { status: 'open' } }, 'passed'],
    ['is another', { order: { status: 'paid' }, left: 1 }, 'failed'],
    ['is absent', { paid: true }, 'failed'],
    ['expects nothing', {}, 'notEvaluated'],
  ] as const)('%s', async (_what, state, status) => {
    await using runner = await openWeather(says('Hello'));

    const report = await evaluate(runner, setOfState(state));

    expect(report.status).toBe(status);
    if (status === 'failed')
      expect(String(report)).toMatch(/final_session_state: (order|paid) is .*, expected /);
  });
});

describe('cases', () => {
  /** Counts its visits in a state, and says which one it was. */
  class Visits extends Model {
    readonly name = 'visits';
    async *generate({ contents }: Parameters<Model['generate']>[0]) {
      const told = contents.at(-1)?.parts?.find(({ functionResponse }) => functionResponse)?.functionResponse;
      const part =
        told === undefined
          ? { functionCall: { name: 'visit', args: {} } }
          : { text: `visit ${String(told.response?.['result'])}` };
      yield await Promise.resolve({ content: { role: 'model', parts: [part] } });
    }
  }

  it.each(['user:visits', 'app:visits', 'visits'])(
    'read no %s of another case, of another evaluation or of the application',
    async (key) => {
      const visit = new FunctionTool({
        name: 'visit',
        description: 'Counts.',
        run: (_args, { state }) => {
          const count = (state.get<number>(key) ?? 0) + 1;
          state.set(key, count);
          return count;
        },
      });
      await using runner = await createRunner(
        defineAgent({ name: 'a', model: new Visits(), tools: [visit] }),
      );
      await runner.ask('Hi', { userId: 'eval_user' });
      await runner.ask('Hi', { userId: 'ada' });
      const turn = {
        user_content: { parts: [{ text: 'Hi' }] },
        final_response: { parts: [{ text: 'visit 1' }] },
      };
      const named = { app_name: 'x', user_id: 'ada', state: {} };
      const eval_cases = ['a', 'b', 'c', 'd'].map((eval_id, index) => ({
        eval_id,
        conversation: [turn],
        ...(index > 1 && { session_input: named }),
      }));
      const set = parseEvalSet({ eval_set_id: 's', eval_cases });

      for (const options of [{ concurrency: 1 }, { concurrency: 4, runs: 2 }, { keepSessions: true }])
        (await evaluate(runner, set, options)).assertPassed();
      await expect(runner.ask('Hi', { userId: 'ada', sessionId: 'after' })).resolves.toMatch(
        key === 'visits' ? 'visit 1' : /visit [23]/,
      );
    },
  );
});

const fixtures = resolve(process.env['ADORN_FIXTURES'] ?? '../shared/fixtures', 'adk-evals');

(existsSync(fixtures) ? describe : describe.skip)("ADK's published files", () => {
  const files = existsSync(fixtures)
    ? readdirSync(fixtures, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
    : [];

  it.each(files.filter((name) => /\.(?:test|evalset)\.json$/.test(name)))('are read: %s', (name) => {
    const json = JSON.parse(readFileSync(join(fixtures, name), 'utf8')) as unknown;
    expect(parseEvalSet(json, name).evalCases.length).toBeGreaterThan(0);
  });

  it.each(files.filter((name) => basename(name) === 'test_config.json'))(
    'have criteria: %s',
    async (name) => {
      const criteria = parseEvalConfig(JSON.parse(readFileSync(join(fixtures, name), 'utf8')), name);
      await expect(metricsOf(criteria, () => new ScriptedModel())).resolves.not.toHaveLength(0);
    },
  );
});

function setWith(intermediate_data: object): object {
  return {
    eval_set_id: 'weather',
    name: 'W',
    description: 'D',
    eval_cases: [
      {
        eval_id: 'oslo',
        conversation: [
          {
            invocation_id: 'i',
            user_content: { role: 'user', parts: [{ text: 'How is Oslo?', function_call: null }] },
            final_response: { role: 'model', parts: [{ text: 'Oslo is clear.', thought: null }] },
            intermediate_data,
            creation_timestamp: 1.5,
            inference_call_count: 2,
            duration: 0.5,
            rubrics: [{ rubric_id: 'r', rubric_content: { text_property: 'Is kind.' }, type: 'T' }],
            app_details: { agent_details: {} },
          },
        ],
        session_input: { app_name: 'weather', user_id: '', state: { some_key: 1 }, session_id: 's1' },
        creation_timestamp: 1.5,
        rubrics: [{ rubric_id: 'q', rubric_content: { text_property: 'Is short.' }, description: 'D' }],
        final_session_state: { some_key: 1 },
      },
    ],
    creation_timestamp: 1.5,
  };
}

type Path = readonly (string | number)[];

/** The paths of all keys. */
function keysOf(json: unknown, path: Path = []): Path[] {
  if (Array.isArray(json)) return json.flatMap((item, index) => keysOf(item, [...path, index]));
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json).flatMap(([key, value]) => [
    ...(value === null ? [] : [[...path, key]]),
    ...(FOREIGN.test(key) ? [] : keysOf(value, [...path, key])),
  ]);
}

function valueAt(json: unknown, path: Path): unknown {
  return path.reduce((value, key) => (value as Record<string | number, unknown>)[key], json);
}

function changedAt(
  json: unknown,
  path: Path,
  change: (owner: Record<string, unknown>, key: string) => void,
): unknown {
  const copy = structuredClone(json);
  change(valueAt(copy, path.slice(0, -1)) as Record<string, unknown>, String(path.at(-1)));
  return copy;
}

function renamed(json: unknown, path: Path, name: string): unknown {
  return changedAt(json, path, (owner, key) => {
    owner[name] = owner[key];
    Reflect.deleteProperty(owner, key);
  });
}

/** @param isAlways false to leave a number a number */
function replaced(json: unknown, path: Path, value: unknown, isAlways: boolean): unknown {
  return changedAt(json, path, (owner, key) => {
    if (isAlways || typeof owner[key] !== 'number') owner[key] = value;
  });
}

/** Without its second to last letter. */
function misspelt(key: string): string {
  return key.slice(0, -2) + key.slice(-1);
}

function camelKey(key: string): string {
  return key.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

function camel(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(camel);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => [camelKey(key), FOREIGN.test(key) ? value : camel(value)]),
  );
}

function refusalOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    expect(error).toMatchObject({ code: 'EVAL_SET_INVALID' });
    return String(error);
  }
}
