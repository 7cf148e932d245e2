import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { Agent } from '@mastra/core/agent';
import { createDurableAgent } from '@mastra/core/agent/durable';
import { Mastra } from '@mastra/core/mastra';
import { createTool } from '@mastra/core/tools';
import { LibSQLStore } from '@mastra/libsql';
import { Memory } from '@mastra/memory';
import { z } from 'zod';

import { MOST_STEPS, play } from '../../build/peers/play.js';

await play(({ baseUrl, folder, charge, look, isAsked, isKilled }) => {
  const storage = new LibSQLStore({
    id: 'store',
    url: folder === undefined ? ':memory:' : `file:${join(folder, 'store.db')}`,
  });
  const tools = {
    charge: createTool({
      id: 'charge',
      description: 'Charges an invoice.',
      inputSchema: z.object({ invoice: z.string() }),
      requireApproval: isAsked,
      execute: charge,
    }),
    look: createTool({
      id: 'look',
      description: 'Looks.',
      inputSchema: z.object({ bytes: z.number() }),
      execute: look,
    }),
  };
  const plain = new Agent({
    id: 'desk',
    name: 'desk',
    instructions: 'You are a desk.',
    model: { id: 'local/local', url: baseUrl, apiKey: 'test' },
    memory: new Memory({ storage }),
    tools,
  });
  // Runs of this one can be recovered.
  const agent = isKilled ? createDurableAgent({ agent: plain }) : plain;
  const mastra = new Mastra({
    agents: { desk: agent },
    storage,
    recovery: { durableAgents: 'auto' },
    logger: false,
  });
  const options = (thread) => ({ memory: { thread, resource: 'ada' }, maxSteps: MOST_STEPS });

  return {
    async say(session, text) {
      if (!isKilled) return (await agent.generate(text, options(session))).text;
      const { output } = await agent.stream(text, options(session));
      let said = '';
      for await (const { type, payload } of output.fullStream)
        if (type === 'text-delta') said += payload.text;
      return said;
    },
    async ask(session, text) {
      const { runId, suspendPayload } = await agent.generate(text, options(session));
      return () => agent.approveToolCallGenerate({ runId, toolCallId: suspendPayload.toolCallId });
    },
    async recover() {
      await mastra.recoverAllDurableAgents();
      // It returns when the runs have begun.
      await setTimeout(5_000);
    },
  };
});
