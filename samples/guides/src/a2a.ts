import { remoteAgent, serveA2a } from '@adorn/a2a';
import { OfflineModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent, SequentialAgent, tool } from 'adorn';

class Stations {
  /** The temperature in a city, in degrees Celsius. @param city Such as "Oslo". */
  @tool({ effect: 'read' })
  temperature(city: string): { city: string; celsius: number } {
    return { city, celsius: 4 };
  }
}

/** Knows the weather. */
@agent({ model: 'gemini-2.5-flash', tools: [Stations] })
class Weather extends LlmAgent {}

// Serves the agent: any A2A client may send it a message. Its card comes from the class and the doc comments.
await using serving = await serveA2a(Weather, { runner: { model: new OfflineModel() } });

// The agent of another host, for a tree: this one happens to be the one above.
const Remote = remoteAgent(serving.url, { name: 'weather_service', description: 'Knows the weather.' });

@agent({ subAgents: [Remote] })
class Report extends SequentialAgent {}

await using runner = await createRunner(Report);
console.log(await runner.ask('temperature in Oslo', { userId: 'ada', sessionId: 'trip' }));
