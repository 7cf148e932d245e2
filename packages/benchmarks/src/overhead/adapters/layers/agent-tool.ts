import { Event } from './event.js';
import type { LlmAgent } from './llm-agent.js';
import { Sessions } from './sessions.js';
import { type Tool, validatorOf } from './tool.js';

/** An agent as a tool: each call has a session of its own, which is forgotten. */
export function agentTool(agent: LlmAgent): Tool {
  const sessions = new Sessions();
  const schema = { type: 'object', properties: { request: { type: 'string' } }, required: ['request'] };
  return {
    name: agent.name,
    declaration: { name: agent.name, description: agent.name, parametersJsonSchema: schema },
    validate: validatorOf(schema),
    run: async ({ request }, { invocation, functionCallId }) => {
      const session = sessions.create(functionCallId);
      const asked = { role: 'user' as const, parts: [{ text: String(request) }] };
      await sessions.append(session, new Event(invocation.id, 'user', asked));
      let text = '';
      for await (const event of agent.run({ ...invocation, session })) {
        await sessions.append(session, event);
        text = event.content.parts[0]?.text ?? text;
      }
      sessions.drop(session);
      return { text };
    },
  };
}
