import {
  AgentTool,
  BaseLlm,
  createTool,
  InMemorySessionService,
  LlmAgent,
  LlmResponse,
  RunConfig,
  Runner,
  StreamingMode,
} from '@iqai/adk';
import { z } from 'zod';

import { chunkContent, lastCallId, modelContent } from '../../build/overhead/gemini-words.js';
import { pause } from '../../build/overhead/pause.js';
import { CHUNKS, nextAction } from '../../build/overhead/script.js';
import { countModelCall } from '../../build/overhead/tally.js';
import { reportWeather } from '../../build/overhead/weather-report.js';

const APP = 'bench';
const USER = 'u';

export const handsOff = true;
export const nestsAgents = true;

class ScriptedLlm extends BaseLlm {
  constructor({ kind, delayMs }, speaker) {
    super('scripted');
    this.kind = kind;
    this.delayMs = delayMs;
    this.speaker = speaker;
  }

  async *generateContentAsyncImpl(request, stream) {
    countModelCall(request.contents.length);
    if (this.delayMs > 0) await pause(this.delayMs);
    const action = nextAction(this.kind, lastCallId(request.contents), this.speaker);
    if (action.kind === 'stream' && stream) {
      for (let sent = 0; sent < CHUNKS; sent++) {
        yield new LlmResponse({ content: chunkContent(), partial: true });
      }
    }
    yield new LlmResponse({ content: modelContent(action) });
  }
}

export async function setup(scenario) {
  const sessionService = new InMemorySessionService();
  const runner = new Runner({ appName: APP, agent: rootAgent(scenario), sessionService });
  const streaming =
    scenario.kind === 'E' ? { runConfig: new RunConfig({ streamingMode: StreamingMode.SSE }) } : {};
  const stored = () => sessionService.sessions.get(APP).get(USER);
  return {
    newSession: () => sessionService.createSession(APP, USER),
    dropSession: ({ id }) => {
      stored().delete(id);
    },
    eventCount: async ({ id }) => stored().get(id).events.length,
    async turn({ id: sessionId }, text, onChunk) {
      const newMessage = { role: 'user', parts: [{ text }] };
      let answer = '';
      for await (const event of runner.runAsync({ userId: USER, sessionId, newMessage, ...streaming })) {
        const said = event.content?.parts?.[0]?.text;
        if (event.partial) onChunk?.(said);
        else if (said) answer = said;
      }
      return answer;
    },
    close: async () => {},
  };
}

function rootAgent(scenario) {
  return new LlmAgent({
    name: 'root',
    description: 'root agent',
    instruction: 'You are a helpful weather agent.',
    model: new ScriptedLlm(scenario, 'root'),
    tools:
      scenario.kind === 'G'
        ? [agentTool(scenario, 'middle', [agentTool(scenario, 'leaf', [])])]
        : [weatherTool()],
    subAgents: scenario.kind === 'F' ? [subAgent(scenario)] : [],
  });
}

function subAgent(scenario) {
  const model = new ScriptedLlm(scenario, 'sub');
  return new LlmAgent({ name: 'sub', description: 'weather expert', instruction: 'Answer.', model });
}

/** Kind G: an agent below, as a tool. */
function agentTool(scenario, name, tools) {
  const model = new ScriptedLlm(scenario, name);
  const agent = new LlmAgent({ name, description: name, instruction: 'Answer.', model, tools });
  return new AgentTool({ name, agent });
}

function weatherTool() {
  return createTool({
    name: 'get_weather',
    description: 'Weather for a city',
    schema: z.object({ city: z.string(), units: z.enum(['c', 'f']) }),
    fn: async ({ city, units }) => reportWeather(city, units),
  });
}
