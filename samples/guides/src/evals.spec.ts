import { evaluate, readEvalSet, responseMatch, toolTrajectory } from '@adorn/eval';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent, tool } from 'adorn';

/** Tells how the weather is. */
@agent({ model: 'gemini-2.5-flash', instruction: 'Answer in one sentence.' })
class Weather extends LlmAgent {
  /**
   * Tell the weather of a city.
   * @param city Name of the city.
   */
  @tool({ effect: 'read' })
  getWeather(city: string): { city: string; sky: string } {
    return { city, sky: 'clear' };
  }
}

it('calls its tool, and says what the tool has told', async () => {
  // Without a model in the options, the agent's own answers.
  const model = new ScriptedModel(
    callsTool('get_weather', { city: 'Oslo' }),
    says('Oslo: it is clear.'),
    says('Hello!'),
  );
  await using runner = await createRunner(Weather, { model });

  const report = await evaluate(runner, await readEvalSet('samples/guides/evals/weather.evalset.json'), {
    metrics: [toolTrajectory(), responseMatch({ threshold: 0.7 })],
    concurrency: 1,
  });

  report.assertPassed();
});
