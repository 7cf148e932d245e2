// An agent of Google's ADK, served over A2A by its own executor. Prints the address of its card, and runs until its input ends.
import { createRequire } from 'node:module';
import { createServer } from 'node:http';

import {
  A2AAgentExecutor,
  BaseLlm,
  FunctionTool,
  getA2AAgentCard,
  InMemorySessionService,
  LlmAgent,
  LogLevel,
  setLogLevel,
  StreamingMode,
} from '@google/adk';
import { z } from 'zod';

setLogLevel(LogLevel.ERROR);
const require = createRequire(import.meta.resolve('@google/adk'));
const { DefaultRequestHandler, InMemoryTaskStore } = await import(require.resolve('@a2a-js/sdk/server'));
const { agentCardHandler, jsonRpcHandler, UserBuilder } = await import(
  require.resolve('@a2a-js/sdk/server/express')
);
const { default: express } = await import(require.resolve('express'));

const say = (text) => ({ content: { role: 'model', parts: [{ text }] } });
const call = (name, args) => ({ content: { role: 'model', parts: [{ functionCall: { name, args } }] } });

/** Looks the weather up, deletes with a confirmation, or says what the tool answered. */
class ScriptedLlm extends BaseLlm {
  constructor() {
    super({ model: 'scripted' });
  }

  async *generateContentAsync({ contents }) {
    const parts = contents.at(-1)?.parts ?? [];
    const response = parts.find(({ functionResponse }) => functionResponse)?.functionResponse;
    if (response) yield say(`The tool answered: ${JSON.stringify(response.response)}.`);
    else if (JSON.stringify(parts).includes('delete')) yield call('delete_file', { path: '/x' });
    else yield call('get_weather', { city: 'Oslo' });
  }

  async connect() {
    throw new Error('There is no live connection.');
  }
}

const tools = [
  new FunctionTool({
    name: 'get_weather',
    description: 'Looks the weather up.',
    parameters: z.object({ city: z.string() }),
    execute: ({ city }) => ({ city, celsius: 4 }),
  }),
  new FunctionTool({
    name: 'delete_file',
    description: 'Deletes a file.',
    parameters: z.object({ path: z.string() }),
    requireConfirmation: true,
    execute: ({ path }) => ({ deleted: path }),
  }),
];
const agent = new LlmAgent({ name: 'keeper', description: 'Keeps files.', model: new ScriptedLlm(), tools });
const app = express();
const server = createServer(app);
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${server.address().port}`;
const card = await getA2AAgentCard(agent, [{ url: `${url}/jsonrpc`, transport: 'JSONRPC' }]);
const runConfig = { streamingMode: StreamingMode.SSE, allowRemoteToolConfirmation: true };
const runner = { agent, appName: 'keeper', sessionService: new InMemorySessionService() };
const requestHandler = new DefaultRequestHandler(
  card,
  new InMemoryTaskStore(),
  new A2AAgentExecutor({ runner, runConfig }),
);
app.use(express.json());
app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
app.use('/jsonrpc', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
console.log(url);
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
