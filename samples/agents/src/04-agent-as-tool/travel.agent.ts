import { agent, LlmAgent } from 'adorn';

interface Forecast {
  readonly celsius: number;
  readonly sky: string;
}

/** Forecasts the weather of a place. */
@agent({
  instruction: 'Forecast the weather of the place for tomorrow.',
  outputSchema: {
    type: 'object',
    properties: { celsius: { type: 'number' }, sky: { type: 'string' } },
    required: ['celsius', 'sky'],
  },
})
class Forecaster extends LlmAgent<Forecast> {}

/** Translates a text. */
@agent({ instruction: 'Translate the text. Answer with the translation only.' })
class Translator extends LlmAgent {}

/** Plans day trips. */
@agent({
  model: 'gemini-2.5-flash',
  instruction: 'Plan the trip by the forecast. Have the plan translated if the user asks for it.',
  tools: [Forecaster, Translator],
})
export class Travel extends LlmAgent {}
