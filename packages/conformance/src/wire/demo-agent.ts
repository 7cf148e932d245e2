import {
  createRunner,
  defineAgent,
  defineTool,
  type ModelRequest,
  type ModelResponse,
  type Runner,
  type ToolContext,
} from '@adorn/core';
import { callsTool, callsTools, says, ScriptedModel, streams } from '@adorn/testing';

const helper = defineAgent({ name: 'helper', description: 'helps', model: 'scripted' });

const getWeather = defineTool({
  name: 'get_weather',
  description: 'weather',
  parameters: objectOf('city'),
  run: ({ city }, context: ToolContext) => {
    context.state.set('last_city', city);
    return { city, temp: 18 };
  },
});

const deleteFile = defineTool({
  name: 'delete_file',
  description: 'deletes',
  confirm: true,
  parameters: objectOf('path'),
  run: ({ path }) => ({ deleted: path }),
});

const startJob = defineTool({
  name: 'start_job',
  description: 'starts a job',
  longRunning: true,
  parameters: objectOf('name'),
  run: () => ({ status: 'pending', ticketId: 'T-1' }),
});

const makeArtifact = defineTool({
  name: 'make_artifact',
  description: 'saves a note',
  parameters: objectOf(),
  run: async (_args: object, context: ToolContext) => {
    const data = Buffer.from('hello artifact').toString('base64');
    await context.saveArtifact('note.txt', { inlineData: { mimeType: 'text/plain', data } });
    return { saved: 'note.txt' };
  },
});

/** The agent of the recordings, whose model answers by the last thing that was said. */
export function openDemo(): Promise<Runner> {
  const demo = defineAgent({
    name: 'demo',
    description: 'demo agent',
    model: 'scripted',
    tools: [getWeather, deleteFile, startJob, makeArtifact],
    subAgents: [helper],
  });
  const model = new ScriptedModel(...Array.from({ length: 200 }, () => withoutReasons));
  return createRunner(demo, { model });
}

const HELLO = ['Hello ', 'from ', 'script'];
const HELLO_WHOLE = 'Hello from script: **bold** and <script>alert(1)</script>';

/** The model of the recordings gave no reason for its ends. */
function withoutReasons(request: ModelRequest): ModelResponse | ModelResponse[] {
  const given = answer(request);
  const bare = (response: ModelResponse): ModelResponse => ({ ...response, finishReason: undefined });
  return Array.isArray(given) ? given.map(bare) : bare(given);
}

function answer({ contents }: ModelRequest) {
  const parts = contents.at(-1)?.parts ?? [];
  const response = parts.find((part) => part.functionResponse !== undefined)?.functionResponse;
  if (response) return says(`tool ${response.name ?? ''} said ${JSON.stringify(response.response)}`);
  const text = parts.map((part) => part.text ?? '').join('');
  if (text.includes('weather'))
    return callsTools(
      { name: 'get_weather', args: { city: 'Paris' } },
      { name: 'get_weather', args: { city: 'Rome' } },
    );
  if (text.includes('delete')) return callsTool('delete_file', { path: '/x' });
  if (text.includes('job')) return callsTool('start_job', { name: 'j' });
  if (text.includes('artifact')) return callsTool('make_artifact', {});
  if (text.includes('transfer')) return callsTool('transfer_to_agent', { agent_name: 'helper' });
  return [...streams(...HELLO).slice(0, -1), says(HELLO_WHOLE)];
}

function objectOf(...names: readonly string[]) {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return { type: 'object', properties, required: [...names] } as const;
}
