import { isStepCount, tool, ToolLoopAgent } from 'ai';
import { z } from 'zod';

import { pause } from '../../build/overhead/pause.js';
import { CHUNK, CHUNKS, nextAction } from '../../build/overhead/script.js';
import { countModelCall } from '../../build/overhead/tally.js';
import { reportWeather } from '../../build/overhead/weather-report.js';

const USAGE = { inputTokens: { total: 1, noCache: 1 }, outputTokens: { total: 1, text: 1 } };
const MAX_STEPS = 50;

/** It has no agents to hand over to, and none that are tools. */
export const handsOff = false;
export const nestsAgents = false;

/** It keeps no session either: the messages are the caller's to keep. */
export async function setup(scenario) {
  const agent = new ToolLoopAgent({
    model: scriptedModel(scenario),
    instructions: 'You are a helpful weather agent.',
    stopWhen: isStepCount(MAX_STEPS),
    tools: { get_weather: weatherTool() },
  });
  return {
    newSession: async () => ({ messages: [] }),
    dropSession: () => {},
    eventCount: async ({ messages }) => messages.length,
    turn: ({ messages }, text, onChunk) => {
      messages.push({ role: 'user', content: text });
      return scenario.kind === 'E' ? streamTurn(agent, messages, onChunk) : wholeTurn(agent, messages);
    },
    close: async () => {},
  };
}

async function streamTurn(agent, messages, onChunk) {
  const result = await agent.stream({ messages });
  let answer = '';
  for await (const chunk of result.textStream) {
    onChunk?.(chunk);
    answer += chunk;
  }
  messages.push(...(await result.response).messages);
  return answer;
}

async function wholeTurn(agent, messages) {
  const result = await agent.generate({ messages });
  messages.push(...(result.responseMessages ?? result.response.messages));
  return result.text;
}

function weatherTool() {
  return tool({
    description: 'Weather for a city',
    inputSchema: z.object({ city: z.string(), units: z.enum(['c', 'f']) }),
    execute: async ({ city, units }) => reportWeather(city, units),
  });
}

function scriptedModel({ kind, delayMs }) {
  const next = ({ prompt }) => {
    countModelCall(prompt.length);
    const last = prompt[prompt.length - 1];
    return nextAction(
      kind,
      last.role === 'tool' ? last.content[last.content.length - 1].toolCallId : undefined,
    );
  };
  return {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    async doGenerate(options) {
      if (delayMs > 0) await pause(delayMs);
      const action = next(options);
      const calls = action.kind === 'calls';
      return {
        content: calls ? action.calls.map(toolCall) : [{ type: 'text', text: action.text }],
        finishReason: { unified: calls ? 'tool-calls' : 'stop', raw: undefined },
        usage: USAGE,
        warnings: [],
      };
    },
    async doStream(options) {
      next(options);
      return { stream: streamedParts() };
    },
  };
}

function toolCall({ id, name, args }) {
  return { type: 'tool-call', toolCallId: id, toolName: name, input: JSON.stringify(args) };
}

/** The parts of a streamed answer, each made when it is asked for. */
function streamedParts() {
  let sent = -2;
  return new ReadableStream({
    pull(controller) {
      if (sent > CHUNKS + 1) controller.close();
      else controller.enqueue(partAt(sent));
      sent++;
    },
  });
}

function partAt(index) {
  if (index === -2) return { type: 'stream-start', warnings: [] };
  if (index === -1) return { type: 'text-start', id: 't' };
  if (index < CHUNKS) return { type: 'text-delta', id: 't', delta: CHUNK };
  if (index === CHUNKS) return { type: 'text-end', id: 't' };
  return { type: 'finish', finishReason: { unified: 'stop', raw: undefined }, usage: USAGE };
}
