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

/** The answers of the model, case after case in the order of the set. */
const model = new ScriptedModel(
  callsTool('get_weather', { city: 'Oslo' }),
  says('It is clear in Oslo.'),
  says('Hello'),
);

export const runner = createRunner(Weather, { model });
