import { agent, LlmAgent, ParallelAgent } from 'adorn';
import type { ModelRequest } from '@adorn/core';

import { testRunner } from '../runner/index.js';
import type { ScriptedStep } from './scripted-step.js';
import { callsTool, says } from './scripted-step.js';
import { ScriptedModel } from './scripted.model.js';

@agent({ model: 'gemini-2.5-flash', description: 'Judges.' })
class Judge extends LlmAgent {}

@agent({ model: 'gemini-2.5-flash', description: 'Checks.' })
class FactChecker extends LlmAgent {}

@agent({ description: 'Both.', subAgents: [Judge, FactChecker] })
class Panel extends ParallelAgent {}

describe('a script for each agent', () => {
  it('is played by the agent that asks, whatever the order in which they ask', async () => {
    const model = ScriptedModel.byAgent({ fact_checker: [says('It is true.')], judge: [says('Guilty.')] });
    await using runner = await testRunner(Panel, { model });

    const { events } = await runner.run({ message: 'Well?' });

    const said = events.map(({ author, text }) => [author, text]).filter(([author]) => author !== 'user');
    expect(new Map(said as [string, string][])).toEqual(
      new Map([
        ['judge', 'Guilty.'],
        ['fact_checker', 'It is true.'],
      ]),
    );
    expect(model.requests.map(({ agentName }) => agentName).sort()).toEqual(['fact_checker', 'judge']);
    model.assertDone();
  });

  it('is an option of testRunner', async () => {
    const model = { judge: [says('Guilty.')], fact_checker: [says('It is true.')] };
    await using runner = await testRunner(Panel, { model });

    expect((await runner.run({ message: 'Well?' })).status).toBe('answered');
  });

  it('says which agent has none, which have one, and which steps of whom are left', async () => {
    const model = ScriptedModel.byAgent({ judge: [says('Guilty.')], checker: [says('It is true.')] });
    await using runner = await testRunner(FactChecker, { model });

    await expect(runner.ask('Well?')).rejects.toThrow(
      'There is no script for the agent fact_checker, which has asked the scripted model. There are scripts for judge, checker.',
    );
    expect(() => model.assertDone()).toThrow('Unused steps of the script: judge 1, checker 1 ');
  });

  it('is refused if it is not a list of steps', async () => {
    const scripts = { judge: says('Guilty.') } as unknown as Record<string, ScriptedStep[]>;

    expect(() => ScriptedModel.byAgent(scripts)).toThrow(
      expect.objectContaining({ code: 'OPTION_INVALID' }) as Error,
    );
    await expect(testRunner(Judge, { model: scripts })).rejects.toMatchObject({ code: 'OPTION_INVALID' });
  });
});

it('answers every request by a function, and is never used up', async () => {
  const model = ScriptedModel.always(({ contents }) => says(`${String(contents.length)} contents`));
  await using runner = await testRunner(Judge, { model });

  expect(await runner.ask('One', { sessionId: 'a' })).toBe('1 contents');
  expect(await runner.ask('Two', { sessionId: 'a' })).toBe('3 contents');
  expect(await runner.ask('One', { sessionId: 'b' })).toBe('1 contents');
  model.assertDone();
});

it('has a constructor whose parameters can be named', () => {
  const steps: ConstructorParameters<typeof ScriptedModel> = [callsTool('roll'), says('A one.')];

  expect(new ScriptedModel(...steps).name).toBe('scripted');
});

it('plays one script for whoever asks, also without a name', async () => {
  const model = new ScriptedModel(says('Yes.'));
  const request: ModelRequest = {
    ...{ contents: [], config: {}, stream: false },
    signal: new AbortController().signal,
  };

  for await (const response of model.generate(request)) expect(response).toEqual(says('Yes.'));

  expect(model.requests[0]).not.toHaveProperty('agentName');
});
