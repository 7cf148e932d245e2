import {
  Agent,
  MemorySession,
  run,
  RunState,
  setDefaultOpenAIClient,
  setOpenAIAPI,
  setTracingDisabled,
  tool,
} from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';

import { MOST_STEPS, play } from '../../build/peers/play.js';

await play(({ baseUrl, charge, look, isAsked }) => {
  setTracingDisabled(true);
  setOpenAIAPI('chat_completions');
  setDefaultOpenAIClient(new OpenAI({ baseURL: baseUrl, apiKey: 'test', maxRetries: 0 }));
  const agent = new Agent({
    name: 'desk',
    model: 'local',
    tools: [
      tool({
        name: 'charge',
        description: 'Charges an invoice.',
        parameters: z.object({ invoice: z.string() }),
        needsApproval: isAsked,
        execute: charge,
      }),
      tool({
        name: 'look',
        description: 'Looks.',
        parameters: z.object({ bytes: z.number() }),
        execute: look,
      }),
    ],
  });
  const sessions = new Map();

  function runIn(id, input) {
    if (!sessions.has(id)) sessions.set(id, new MemorySession());
    return run(agent, input, { session: sessions.get(id), maxTurns: MOST_STEPS });
  }
  const say = async (id, text) => (await runIn(id, text)).finalOutput;
  return {
    say,
    async ask(id, text) {
      const stored = (await runIn(id, text)).state.toString();
      return async () => {
        const state = await RunState.fromString(agent, stored);
        state.approve(state.getInterruptions()[0]);
        await runIn(id, state);
      };
    },
    // A run is stored where it waits or has ended: the client sends its message again.
    recover: say,
  };
});
