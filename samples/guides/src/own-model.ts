import { agent, ContainerModule, createRunner, LlmAgent, type Model, ModelProvider, tool } from 'adorn';

import { ChatModel } from './chat.model.js';
import { startChatServer } from './chat-server.js';

class Weather {
  /** Current weather of a city. @param city City, such as "Oslo". */
  @tool({ effect: 'read' })
  getWeather(city: string): string {
    return `9 degrees and rain in ${city}`;
  }
}

/** Answers questions about the weather. */
@agent({ model: 'chat/small', tools: [Weather] })
class Forecaster extends LlmAgent {}

/** Knows the models whose names begin with `chat/`. */
class ChatModels extends ModelProvider {
  constructor(private readonly server: { readonly baseUrl: string; readonly apiKey: string }) {
    super();
  }

  override modelOf(name: string): Model | undefined {
    return name.startsWith('chat/') ? new ChatModel(name.slice('chat/'.length), this.server) : undefined;
  }
}

const server = await startChatServer();
const models = new ContainerModule(({ bind }) => {
  bind(ModelProvider).toConstantValue(new ChatModels({ baseUrl: server.baseUrl, apiKey: 'test' }));
});

await using runner = await createRunner(Forecaster, { modules: [models] });
console.log(await runner.ask('What is the weather in Oslo?', { userId: 'ada' }));

const streamed = { userId: 'ada', message: 'And now?', config: { streaming: 'sse' } } as const;
for await (const { partial, text } of runner.run(streamed)) if (partial) console.log('piece:', text);
server.close();
