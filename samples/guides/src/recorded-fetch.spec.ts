import { callsTool, recordedFetch, says } from '@adorn/testing';
import { testRunner } from '@adorn/testing/runner';
import { agent, LlmAgent, tool } from 'adorn';

class Weather {
  /**
   * Look up the temperature of a city in degrees Celsius.
   * @param city Its name.
   */
  @tool({ effect: 'read' })
  async temperature(city: string): Promise<number> {
    const response = await fetch(`https://weather.example/now?city=${encodeURIComponent(city)}`);
    const { celsius } = (await response.json()) as { celsius: number };
    return celsius;
  }
}

/** Tells the weather. */
@agent({ model: 'gemini-2.5-flash', tools: [Weather] })
class Forecast extends LlmAgent {}

describe('the forecast', () => {
  it('reads the temperature of the service', async () => {
    const service = recordedFetch(fetch, new URL('../cassettes/weather.cassette.json', import.meta.url));
    const model = [callsTool('temperature', { city: 'Oslo' }), says('Minus four.')];
    await using runner = await testRunner(Forecast, { model, fetch: service });

    const { events } = await runner.run({ userId: 'ada', message: 'How cold is it in Oslo?' });

    const [answer] = events.flatMap(({ functionResponses }) => functionResponses);
    expect(answer?.response).toEqual({ result: -4 });
    service.assertDone();
  });
});
