import { type AddressInfo, createServer } from 'node:net';

import type { LlmAgentNode } from '@adorn/core/backend';
import {
  agent,
  ContainerModule,
  createRunner,
  GeminiModel,
  GeminiModelProvider,
  LlmAgent,
  Logger,
  Model,
  ModelProvider,
} from './index.js';

describe('createRunner', () => {
  const environment = { ...process.env };

  beforeEach(() => {
    for (const name of Object.keys(process.env))
      if (/^(GEMINI|GOOGLE)_/.test(name)) Reflect.deleteProperty(process.env, name);
  });

  afterEach(() => {
    Object.assign(process.env, environment);
    for (const name of Object.keys(process.env))
      if (!(name in environment)) Reflect.deleteProperty(process.env, name);
  });

  it("makes a model of Gemini's of a name, one for all agents that name it", async () => {
    process.env['GEMINI_API_KEY'] = 'test-key';
    @agent({ description: '', model: 'gemini-2.5-flash' })
    class Billing extends LlmAgent {}
    @agent({ description: '', model: 'gemini-2.5-flash', subAgents: [Billing] })
    class Clerk extends LlmAgent {}

    const { root } = await createRunner(Clerk);

    expect((root as LlmAgentNode).model).toBeInstanceOf(GeminiModel);
    expect((root as LlmAgentNode).model.name).toBe('gemini-2.5-flash');
    expect((root.subAgents[0] as LlmAgentNode).model).toBe((root as LlmAgentNode).model);
  });

  it('refuses the name of a model that is nobody’s', async () => {
    @agent({ description: '', model: 'gemni-2.5-flash' })
    class Clerk extends LlmAgent {}

    await expect(createRunner(Clerk)).rejects.toMatchObject({
      code: 'MODEL_NOT_FOUND',
      message:
        'Clerk names the model "gemni-2.5-flash", which no bound provider knows. Check the name, or pass ' +
        'a Model instead: @agent({ model: new MyModel() }).',
    });
  });

  it('says what to set where there is no key', async () => {
    @agent({ description: '', model: 'gemini-2.5-flash' })
    class Clerk extends LlmAgent {}

    await expect(createRunner(Clerk)).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message:
        'Gemini cannot be called: there is no API key. Set GEMINI_API_KEY, or pass apiKey to new ' +
        'GeminiModel({ … }), or use Vertex AI (GOOGLE_GENAI_USE_VERTEXAI=true with ' +
        'GOOGLE_CLOUD_PROJECT), or give the agent another model.',
    });
  });

  it('starts while the server of the model is down, with a warning, and fails in the first request', async () => {
    const baseUrl = `http://127.0.0.1:${String(await closedPort())}`;
    const provider = new GeminiModelProvider({ apiKey: 'test-key', baseUrl, retry: { attempts: 1 } });
    @agent({ description: '', model: 'gemini-2.5-flash' })
    class Clerk extends LlmAgent {}
    const warnings: string[] = [];
    const quiet = (): void => undefined;
    const warn = (message: string): void => void warnings.push(message);
    const logging = new ContainerModule(({ bind }) => {
      bind(Logger).toConstantValue({ debug: quiet, info: quiet, warn, error: quiet });
    });
    const modules = [binding(ModelProvider, provider), logging];

    await using runner = await createRunner(Clerk, { modules });

    expect(warnings).toEqual(["a model's server cannot be reached; requests fail until it can be"]);
    const { events } = await runner.run({ userId: 'ada', message: 'Hello' });
    expect(events.at(-1)).toMatchObject({
      errorCode: 'MODEL_UNAVAILABLE',
      errorMessage: expect.stringMatching(
        /No response from 127\.0\.0\.1:\d+: .*ECONNREFUSED.*Check the network, the proxy, and baseUrl/,
      ) as unknown,
    });
  });

  it("lets the application's own provider and model come first", async () => {
    const mine = new GeminiModel({ model: 'mine', apiKey: 'test-key' });
    class Provider extends ModelProvider {
      modelOf(): Model {
        return mine;
      }
    }
    @agent({ description: '', model: 'gemini-2.5-flash' })
    class Clerk extends LlmAgent {}

    const { root } = await createRunner(Clerk, { modules: [binding(ModelProvider, new Provider())] });

    expect((root as LlmAgentNode).model).toBe(mine);
  });
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function binding(token: typeof ModelProvider, value: ModelProvider): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(token).toConstantValue(value);
  });
}
