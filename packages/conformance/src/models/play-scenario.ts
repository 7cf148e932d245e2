import { ContainerModule, createRunner, defineAgent, defineTool, type Event, Logger } from 'adorn';

import { comparable } from './comparable-events.js';
import type { ModelScenario } from './model-scenarios.js';
import type { ProviderWire } from './provider-wires.js';

const DEGREES: Readonly<Record<string, number>> = { Oslo: 9, Rome: 25, Bonn: 14 };

const getWeather = defineTool({
  name: 'get_weather',
  description: 'Current weather of a city.',
  parameters: {
    type: 'object',
    properties: {
      city: { type: 'string', minLength: 1 },
      unit: { type: 'string', enum: ['celsius', 'kelvin'] },
    },
    required: ['city'],
    additionalProperties: false,
  },
  effect: 'read',
  run: (args) => {
    const degrees = DEGREES[String(args['city'])];
    if (degrees === undefined) throw new Error('no such city');
    return { degrees, given: Object.keys(args) };
  },
});

/** Plays a conversation on a wire, and returns what a caller sees of it. */
export async function playScenario(wire: ProviderWire, scenario: ModelScenario): Promise<readonly object[]> {
  const { messages = ['Hello'], isStreamed = false, outputSchema, attempts = 1 } = scenario;
  const cancelling = new AbortController();
  const onRequest = (): void => {
    if (scenario.isCancelled === true)
      setImmediate(() => {
        cancelling.abort();
      });
  };
  await using server = await wire.start(scenario.script, { onRequest });
  const model = wire.model(server.url, attempts);
  const clerk = defineAgent({
    name: 'clerk',
    instruction: 'Be brief.',
    ...(outputSchema ? { outputSchema } : { tools: [getWeather] }),
  });
  await using runner = await createRunner(clerk, { model, modules: [silence] });
  const events: Event[] = [];
  for (const message of messages) {
    const config = { streaming: isStreamed ? 'sse' : 'none' } as const;
    const run = runner.run({ userId: 'ada', sessionId: 's1', message, config, signal: cancelling.signal });
    for await (const event of run) events.push(event);
  }
  return comparable(events);
}

const nothing = (): void => undefined;

const silence = new ContainerModule(({ bind }) => {
  bind(Logger).toConstantValue({ debug: nothing, info: nothing, warn: nothing, error: nothing });
});
