import { pageTools, serve } from '@adorn/server';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, LlmAgent } from 'adorn';

const model = new ScriptedModel(callsTool('set_theme', { color: 'red' }), says('It is red now.'));

/** Helps on the page of a shop. */
@agent({ model: 'gemini-2.5-flash', tools: [pageTools({ allow: ['set_theme'] })] })
class Desk extends LlmAgent {}

const server = await serve(Desk, { port: 0, page: false, runner: { model } });

// What a client of AG-UI sends and reads, such as CopilotKit.
const parameters = { type: 'object', properties: { color: { type: 'string' } }, required: ['color'] };
const tools = [{ name: 'set_theme', description: 'Sets the colour of the page.', parameters }];
const asked = { id: 'm1', role: 'user', content: 'Make the page red' };
const [call] = await run([asked]);
const done = { id: 'm2', role: 'tool', toolCallId: call?.toolCallId, content: '{"was":"blue"}' };
await run([asked, done]);
await server.close();

interface AgUiEvent {
  readonly type: string;
  readonly toolCallId?: string;
  readonly toolCallName?: string;
  readonly delta?: string;
}

/** Runs the thread, prints calls and texts, and returns the calls. */
async function run(messages: readonly object[]): Promise<readonly AgUiEvent[]> {
  const response = await fetch(`${server.url}/adorn/apps/desk/ag-ui`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${server.token ?? ''}` },
    body: JSON.stringify({ threadId: 't1', runId: `r${String(messages.length)}`, messages, tools }),
  });
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: '));
  const events = lines.map((line) => JSON.parse(line.slice('data: '.length)) as AgUiEvent);
  for (const { type, toolCallName, delta } of events) {
    if (type === 'TOOL_CALL_START') console.log('the page runs', toolCallName);
    if (type.endsWith('_CONTENT') || type === 'TOOL_CALL_ARGS') console.log(delta);
  }
  return events.filter(({ type }) => type === 'TOOL_CALL_START');
}
