import { Event, type Runner } from 'adorn';

import { askRecorded, type Heard, hear } from './ask-recorded.js';
import { type Conversation, isStreamed } from './conversation.js';
import type { RecordedContent } from './gemini-json.js';
import { RECORDED_AGENT, recordedAgent } from './recorded-agent.js';

const ADDRESS = { userId: 'user', sessionId: 'recorded' };

/** Holds a recorded conversation again, the user's side of it and the tools as recorded. */
export function replayConversation(conversation: Conversation): Promise<Heard> {
  const path = conversation.exchanges[0]?.request?.path ?? '';
  const service = {
    exchanges: conversation.exchanges,
    vertexai: path.includes('/publishers/'),
    stream: isStreamed(conversation),
  };
  return askRecorded(recordedAgent(conversation), service, async (runner) => {
    await seed(runner, conversation.history);
    const events: Event[] = [];
    for (const { message, answers } of conversation.turns) {
      const run = runner.run({ ...ADDRESS, message: message });
      events.push(...(await hear(run, answers)));
    }
    return events;
  });
}

/** Puts what was said before into the session. */
async function seed(
  { appName, sessions }: Runner<unknown>,
  history: readonly RecordedContent[],
): Promise<void> {
  if (history.length === 0) return;
  const session = await sessions.createSession({ ...ADDRESS, appName });
  for (const content of history) {
    const author = content.role === 'model' ? RECORDED_AGENT : 'user';
    const event = new Event({
      invocationId: 'before',
      author,
      content: { ...content, parts: [...(content.parts ?? [])] },
    });
    await sessions.appendEvent(session, event);
  }
}
