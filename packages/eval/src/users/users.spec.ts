import { callsTool, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import { openDesk, REFUND, setOfCases } from '../desk.fixture.js';
import { evaluate, type EvaluateOptions } from '../evaluate.js';
import type { EvalCaseResult } from '../eval-report.js';
import type { EvalCase } from '../eval-set.js';
import { parseEvalSet } from '../read-eval-set.js';
import { formatEvalSet } from '../write-eval-set.js';
import { scriptedUser } from './scripted-user.js';
import { simulatedUser } from './simulated-user.js';

const SCENARIO: EvalCase = {
  evalId: 'refund',
  conversation: [],
  conversationScenario: { startingPrompt: 'I want my money back.', conversationPlan: 'Get A-17 refunded.' },
};

describe('a scripted user', () => {
  it('says its lines behind the starting prompt, and answers what the run asks', async () => {
    const user = scriptedUser(['A-17', ({ turns }) => `That was turn ${String(turns.length)}.`], {
      answer: ({ tool, args }) => tool === 'refund' && args['order'] === 'A-17',
    });

    const { result, paid } = await played([says('Which one?'), ...REFUND, says('Bye.')], { user });

    expect(messagesOf(result)).toEqual(['I want my money back.', 'A-17', 'That was turn 2.']);
    expect([paid, result.error]).toEqual([['A-17'], undefined]);
  });

  it('plays a case without messages, too', async () => {
    const { result } = await played(
      [says('Hello.')],
      { user: scriptedUser(['Hi']) },
      { evalId: 'a', conversation: [] },
    );

    expect(messagesOf(result)).toEqual(['Hi']);
  });

  it.each([[null], [['']], [[1]], ['Hi']])('is refused with the lines %j', (lines) => {
    expect(() => scriptedUser(lines as never)).toThrow('its lines are no texts and functions');
  });
});

describe('a simulated user', () => {
  it('follows the plan in its persona, approves what it wants, and says when it has it', async () => {
    const model = new ScriptedModel(
      move('say', 'A-17, please.'),
      says('{"reason":"I want it.","approved":true}'),
      move('reached'),
    );
    const persona = {
      description: 'You are brief.',
      behaviors: [{ behaviorInstructions: ['Never greet.'] }],
    };
    const scenario = {
      ...SCENARIO.conversationScenario,
      userPersona: persona,
    } as EvalCase['conversationScenario'];

    const { result, paid } = await played(
      [says('Which one?'), ...REFUND],
      { user: simulatedUser({ model }) },
      { ...SCENARIO, conversationScenario: scenario },
    );

    expect(messagesOf(result)).toEqual(['I want my money back.', 'A-17, please.']);
    expect([paid, goalOf(result)]).toEqual([['A-17'], ['passed', undefined]]);
    const [first, second] = model.requests.map(({ contents }) => JSON.stringify(contents.at(-1)));
    expect(first).toContain('Get A-17 refunded.');
    expect(first).toContain('You are brief.\\nNever greet.');
    expect(first).toContain('user: I want my money back.\\nagent: Which one?');
    expect(second).toContain('refund {\\"order\\":\\"A-17\\"}');
  });

  it('rejects what it does not want, with its reason', async () => {
    const model = new ScriptedModel(says('{"reason":"Wrong order.","approved":false}'), move('gaveUp'));

    const { result, paid } = await played(REFUND, { user: simulatedUser({ model }) });

    expect([paid, goalOf(result)]).toEqual([[], ['failed', 'the user gave up']]);
    expect(JSON.stringify(result.evalMetricResultPerInvocation)).toContain('Wrong order.');
  });

  it('loses its patience', async () => {
    const model = new ScriptedModel(move('say', 'Please.'), move('say', 'Please!'));
    const scenario = { startingPrompt: 'Hi', conversationPlan: 'Ask.', patience: 2 };

    const { result } = await played(
      [says('No.'), says('No.')],
      { user: simulatedUser({ model, patience: 20 }) },
      { ...SCENARIO, conversationScenario: scenario },
    );

    expect(messagesOf(result)).toEqual(['Hi', 'Please.']);
    expect(goalOf(result)).toEqual(['failed', 'the user wrote 2 messages, and lost patience']);
  });

  it('gives up with an empty message', async () => {
    const { result } = await played([says('No.')], {
      user: simulatedUser({ model: new ScriptedModel(move('say', ' ')) }),
    });

    expect(goalOf(result)).toEqual(['failed', 'the user gave up']);
  });

  it('that is not there makes a scenario an error that says what to pass', async () => {
    const { result } = await played([], {});

    expect(result.error).toContain('Pass the option user, such as simulatedUser({ model }).');
  });

  it.each<[string, object]>([
    ['no model', {}],
    ['no patience', { model: new ScriptedModel(), patience: 0 }],
    ['a misspelt option', { model: new ScriptedModel(), personas: 'x' }],
  ])('is refused with %s', (_what, options) => {
    expect(() => simulatedUser(options as never)).toThrow(
      expect.objectContaining({ code: 'EVAL_CONFIG_INVALID' }) as Error,
    );
  });

  it('that asks on and on is stopped', async () => {
    const ask = Array.from({ length: 102 }, () => callsTool('refund', { order: 'A-17' }));
    const { result } = await played(ask, { approve: () => true, user: scriptedUser([]) });

    expect(result.error).toBe('The run asked 100 times in one turn, at last for "refund".');
  });
});

describe('a case of a file', () => {
  const FILE = {
    eval_set_id: 's',
    eval_cases: [
      {
        eval_id: 'a',
        conversation_scenario: {
          starting_prompt: 'Hi',
          conversation_plan: 'Ask for the weather.',
          user_persona: {
            id: 'brief',
            description: 'You are brief.',
            behaviors: [
              { name: 'b', behavior_instructions: ['Be short.'], violation_rubrics: ['It is long.'] },
            ],
          },
        },
        tool_stubs: [{ tool: 'look', args: { some_city: 'Oslo' }, response: { some_sky: 1 } }],
        faults: [
          { kind: 'kill', behind: 3 },
          { kind: 'rate_limit', tool: 'look', nth: 2, times: 3, has_effect: true },
        ],
      },
    ],
  };

  it('has its scenario, stubs and faults, and is written as it was', () => {
    const set = parseEvalSet(FILE);

    expect(set.evalCases[0]).toMatchObject({
      conversation: [],
      conversationScenario: { startingPrompt: 'Hi', userPersona: { id: 'brief' } },
      toolStubs: [{ tool: 'look', args: { some_city: 'Oslo' }, response: { some_sky: 1 } }],
      faults: [
        { kind: 'kill', behind: 3 },
        { kind: 'rateLimit', tool: 'look', nth: 2, times: 3, hasEffect: true },
      ],
    });
    expect(parseEvalSet(JSON.parse(formatEvalSet(set)))).toEqual(set);
    expect(formatEvalSet(set)).toContain('"violation_rubrics"');
  });

  it('may name a persona of ADK', () => {
    const scenario = { starting_prompt: 'Hi', conversation_plan: 'Ask.', user_persona: 'NOVICE' };
    const { evalCases } = parseEvalSet({ eval_cases: [{ eval_id: 'a', conversation_scenario: scenario }] });
    expect(evalCases[0]?.conversationScenario?.userPersona?.description).toContain('everyday words');
  });

  it.each<[string, object, string]>([
    ['no plan', { conversation_scenario: { starting_prompt: 'Hi' } }, 'conversation_plan: it is missing'],
    [
      'a persona that does not exist',
      { conversation_scenario: { starting_prompt: 'Hi', conversation_plan: 'A', user_persona: 'NOVISE' } },
      'there is no persona NOVISE. Did you mean NOVICE?',
    ],
    ['a misspelt key of a scenario', { conversation_scenario: { start: 'Hi' } }, 'there is no key start'],
    ['a fault that does not exist', { faults: [{ kind: 'kil' }] }, 'it is "kil". Did you mean kill?'],
    ['a kill at two places', { faults: [{ kind: 'kill', behind: 1, before: 1 }] }, 'as behind or as before'],
    ['a kill nowhere', { faults: [{ kind: 'kill' }] }, 'or a tool as during'],
    [
      'a kill at two places',
      { faults: [{ kind: 'kill', during: 'a', behind: 1 }] },
      'as behind or as before',
    ],
    ['a kill at event 0', { faults: [{ kind: 'kill', behind: 0 }] }, 'it is 0, and no whole number above 0'],
    ['a lie of nobody', { faults: [{ kind: 'lie' }] }, 'a lie is that of a tool'],
    ['a misspelt key of a fault', { faults: [{ kind: 'lie', tol: 'x' }] }, 'there is no key tol'],
    ['an effect that is a text', { faults: [{ kind: 'lie', has_effect: 'x' }] }, 'and not true or false'],
    ['a stub without a response', { tool_stubs: [{ tool: 'a' }] }, 'it has no response and no error'],
    ['a stub with both', { tool_stubs: [{ tool: 'a', response: 1, error: 'x' }] }, 'keep one of them'],
    ['a stub of nothing', { tool_stubs: [{ response: 1 }] }, 'tool: it is missing'],
  ])('is refused with %s', (_what, more, message) => {
    expect(() => parseEvalSet({ eval_cases: [{ eval_id: 'a', conversation: [], ...more }] })).toThrow(
      message,
    );
  });
});

function move(next: string, message = ''): ScriptedStep {
  return says(JSON.stringify({ reason: 'So.', next, message }));
}

async function played(
  steps: readonly ScriptedStep[],
  options: EvaluateOptions,
  evalCase: EvalCase = SCENARIO,
): Promise<{ result: EvalCaseResult; paid: unknown[] }> {
  const { runner, paid } = await openDesk(steps);
  const { caseResults } = await evaluate(runner, setOfCases(evalCase), options);
  await runner.close();
  return { result: caseResults[0] as EvalCaseResult, paid };
}

function messagesOf({ evalMetricResultPerInvocation: turns }: EvalCaseResult): (string | undefined)[] {
  return turns.map(({ actualInvocation }) => actualInvocation.userContent.parts?.[0]?.text);
}

function goalOf({ overallEvalMetricResults }: EvalCaseResult): unknown[] {
  const found = overallEvalMetricResults.find(({ metricName }) => metricName === 'user_goal');
  return [found?.evalStatus, found?.detail];
}
