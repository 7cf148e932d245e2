import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { aiSdkModel } from '@adorn/ai-sdk';
import {
  callsFunctions,
  failsWith,
  saysText,
  startAnthropicEmulator,
  startOpenAiEmulator,
} from '@adorn/testing';
import { agent, createRunner, fallbackModel, LlmAgent, type Model, routeModel, tool } from 'adorn';

class Weather {
  /** Current weather of a city. @param city City, such as "Oslo". */
  @tool({ effect: 'read' })
  getWeather(city: string): string {
    return `9 degrees and rain in ${city}`;
  }
}

/** Answers questions about the weather. */
@agent({ tools: [Weather] })
class Forecaster extends LlmAgent {}

// Servers on this machine stand in for the providers; without baseURL and apiKey, the real ones are asked.
const call = callsFunctions({ name: 'get_weather', args: { city: 'Oslo' } });
await using openaiServer = await startOpenAiEmulator([
  call,
  saysText('9 degrees and rain, says OpenAI.'),
  failsWith(503, { message: 'Overloaded' }),
]);
await using anthropicServer = await startAnthropicEmulator([
  saysText('9 degrees and rain, says Anthropic.'),
  saysText('Good morning.'),
]);
const openai = createOpenAI({ baseURL: `${openaiServer.url}/v1`, apiKey: 'test' });
const anthropic = createAnthropic({ baseURL: `${anthropicServer.url}/v1`, apiKey: 'test' });

const gpt = aiSdkModel(openai('gpt-5-mini'), { retry: { attempts: 1 } });
const claude = aiSdkModel(anthropic('claude-sonnet-4-5'));

await ask('gpt', gpt, 'What is the weather in Oslo?');
await ask('fallback', fallbackModel([gpt, claude]), 'What is the weather in Oslo?');
await ask(
  'route',
  routeModel(({ contents }) => (contents.length > 20 ? gpt : claude), [gpt, claude]),
  'Hello',
);

async function ask(name: string, model: Model, message: string): Promise<void> {
  await using runner = await createRunner(Forecaster, { model });
  for await (const event of runner.run({ userId: 'ada', message }))
    if (event.isFinalResponse) console.log(`${name}: ${event.text}`);
}
