import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { isStepCount, ToolLoopAgent, tool } from 'ai';
import { z } from 'zod';

import { MOST_STEPS, play } from '../../build/peers/play.js';

/** The kit keeps no conversation: the application holds the messages, and gives them back. */
await play(({ baseUrl, charge, look, isAsked }) => {
  const model = createOpenAICompatible({ name: 'local', baseURL: baseUrl, apiKey: 'test' })('local');
  const agent = new ToolLoopAgent({
    model,
    tools: {
      charge: tool({
        description: 'Charges an invoice.',
        inputSchema: z.object({ invoice: z.string() }),
        execute: charge,
        needsApproval: isAsked,
      }),
      look: tool({ description: 'Looks.', inputSchema: z.object({ bytes: z.number() }), execute: look }),
    },
    stopWhen: isStepCount(MOST_STEPS),
  });
  const histories = new Map();

  async function goOn(session, added) {
    const messages = [...(histories.get(session) ?? []), added];
    histories.set(session, messages);
    const result = await agent.generate({ messages });
    histories.set(session, [...messages, ...result.responseMessages]);
    return result;
  }
  const say = async (session, content) => (await goOn(session, { role: 'user', content })).text;
  return {
    say,
    async ask(session, content) {
      const result = await goOn(session, { role: 'user', content });
      const request = result.content.find(({ type }) => type === 'tool-approval-request');
      const messages = histories.get(session);
      const answer = { type: 'tool-approval-response', approvalId: request.approvalId, approved: true };
      return () => agent.generate({ messages: [...messages, { role: 'tool', content: [answer] }] });
    },
    // Nothing is stored: the client sends its message again.
    recover: say,
  };
});
