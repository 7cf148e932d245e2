import {
  AgentTool,
  BaseLlm,
  FunctionTool,
  InMemorySessionService,
  LlmAgent,
  LogLevel,
  Runner,
  setLogLevel,
  StreamingMode,
} from '@google/adk';
import { z } from 'zod';

import { chunkContent, lastCallId, modelContent } from '../../build/overhead/gemini-words.js';
import { pause } from '../../build/overhead/pause.js';
import { CHUNKS, nextAction } from '../../build/overhead/script.js';
import { countModelCall } from '../../build/overhead/tally.js';
import { reportWeather } from '../../build/overhead/weather-report.js';

const OWNER = { appName: 'bench', userId: 'u' };

export const handsOff = true;
export const nestsAgents = true;

setLogLevel(LogLevel.ERROR);

class ScriptedLlm extends BaseLlm {
  constructor({ kind, delayMs }, speaker) {
    super({ model: 'scripted' });
    this.kind = kind;
    this.delayMs = delayMs;
    this.speaker = speaker;
  }

  async *generateContentAsync(request, stream) {
    countModelCall(request.contents.length);
    if (this.delayMs > 0) await pause(this.delayMs);
    const action = nextAction(this.kind, lastCallId(request.contents), this.speaker);
    if (action.kind === 'stream' && stream) {
      for (let sent = 0; sent < CHUNKS; sent++) yield { content: chunkContent(), partial: true };
    }
    yield { content: modelContent(action, { agentName: 'sub' }) };
  }

  async connect() {
    throw new Error('The scripted model has no live connection.');
  }
}

export async function setup(scenario) {
  const sessionService = new InMemorySessionService();
  const runner = new Runner({ appName: OWNER.appName, agent: rootAgent(scenario), sessionService });
  const runConfig = scenario.kind === 'E' ? { streamingMode: StreamingMode.SSE } : undefined;
  const stored = () => sessionService.sessions[OWNER.appName][OWNER.userId];
  return {
    newSession: () => sessionService.createSession(OWNER),
    dropSession: ({ id }) => {
      delete stored()[id];
    },
    eventCount: async ({ id }) => stored()[id].events.length,
    async turn({ id: sessionId }, text, onChunk) {
      const newMessage = { role: 'user', parts: [{ text }] };
      let answer = '';
      for await (const event of runner.runAsync({ userId: OWNER.userId, sessionId, newMessage, runConfig })) {
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
    description: 'root',
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
  return new AgentTool({ agent });
}

function weatherTool() {
  return new FunctionTool({
    name: 'get_weather',
    description: 'Weather for a city',
    parameters: z.object({ city: z.string(), units: z.enum(['c', 'f']) }),
    execute: async ({ city, units }) => reportWeather(city, units),
  });
}
