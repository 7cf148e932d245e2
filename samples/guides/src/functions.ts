import { OfflineModel } from '@adorn/testing';
import { agent, createRunner, defineTool, LlmAgent, type ToolContext } from 'adorn';

/** Current weather of a city. @param city City, such as "Rome". */
async function getWeather(city: string, context: ToolContext): Promise<string> {
  context.state.set('user:last_city', city);
  return `9 degrees and rain in ${city}`;
}

/** Order a taxi. @param city City, such as "Rome". @param seats Number of seats. */
function orderTaxi(city: string, seats = 1): { city: string; seats: number } {
  return { city, seats };
}

const taxi = defineTool(orderTaxi, {
  effect: 'write',
  timeout: 5_000,
  confirm: (_city, seats = 1) => seats > 4 && 'Order a large taxi?',
});

/** Helps travellers. */
@agent({ model: 'gemini-2.5-flash', tools: [getWeather, taxi] })
class Concierge extends LlmAgent {}

await using runner = await createRunner(Concierge, { model: new OfflineModel() });
console.log(await runner.ask('What is the weather in Rome?', { userId: 'ada', sessionId: 's1' }));
console.log(await runner.ask('Order a taxi with 2 seats in Rome', { userId: 'ada', sessionId: 's1' }));
