import { says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, importSession, LlmAgent } from 'adorn';

// The answer of ADK's server to GET /apps/desk/users/ada/sessions/s1, shortened.
const session = {
  id: 's1',
  appName: 'desk',
  userId: 'ada',
  state: { topic: 'taxi', 'user:last_expense': 250 },
  events: [
    {
      id: 'e1',
      invocationId: 'i1',
      author: 'user',
      timestamp: 1_790_000_000.5,
      content: { role: 'user', parts: [{ text: 'I paid 250 euros for a taxi.' }] },
      actions: { stateDelta: {}, artifactDelta: {} },
    },
    {
      id: 'e2',
      invocationId: 'i1',
      author: 'desk',
      timestamp: 1_790_000_002.1,
      content: { role: 'model', parts: [{ text: 'Noted.' }] },
      actions: { stateDelta: { topic: 'taxi', 'user:last_expense': 250 }, artifactDelta: {} },
    },
  ],
};

/** Reimburses the expenses of employees. */
@agent({ model: 'gemini-2.5-flash' })
class Desk extends LlmAgent {}

const model = new ScriptedModel(says('250 euros, for a taxi.'));
await using runner = await createRunner(Desk, { model });

const { id: sessionId, appName, userId, state, events } = session;
const heading = { adorn: 'session', version: 1, appName, userId, sessionId, state, events: events.length };
await importSession(
  runner.sessions,
  [heading, ...events].map((line) => JSON.stringify(line)),
);
// State of users and of the application is not part of a session: it is written once.
const { state: stored } = await runner.sessions.updateSession({ appName, userId, sessionId }, state);
console.log({ ...stored });

console.log(await runner.ask('What did I pay?', { userId, sessionId }));
console.log('The model reads', model.requests[0]?.contents.length, 'messages.');
