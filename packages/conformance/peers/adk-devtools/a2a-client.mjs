// An agent of Google's ADK that is a client of the A2A agent at an address: a question, and a call that waits for a person. Prints one line of JSON.
//   node a2a-client.mjs CARD
import { InMemorySessionService, LogLevel, RemoteA2AAgent, Runner, setLogLevel } from '@google/adk';

setLogLevel(LogLevel.ERROR);
const [, , agentCard] = process.argv;
const agent = new RemoteA2AAgent({ name: 'remote', description: 'A peer.', agentCard });
const sessionService = new InMemorySessionService();
const runner = new Runner({ appName: 'app', agent, sessionService });

async function run(sessionId, parts) {
  const events = [];
  for await (const event of runner.runAsync({
    userId: 'ada',
    sessionId,
    newMessage: { role: 'user', parts },
  }))
    events.push(event);
  const whole = events.filter(({ partial }) => !partial);
  return {
    text: whole
      .flatMap(({ content }) => content?.parts ?? [])
      .filter(({ thought }) => !thought)
      .map(({ text }) => text ?? '')
      .join(''),
    errors: events.flatMap(({ errorMessage }) => errorMessage ?? []),
    calls: whole.flatMap(({ content, longRunningToolIds }) =>
      (content?.parts ?? []).flatMap(({ functionCall }) =>
        functionCall && longRunningToolIds?.includes(functionCall.id) ? [functionCall] : [],
      ),
    ),
  };
}

const out = {};
await sessionService.createSession({ appName: 'app', userId: 'ada', sessionId: 's1' });
out.answered = await run('s1', [{ text: 'Where is A?' }]);
for (const [name, response] of [
  ['approved', { confirmed: true }],
  ['denied', { confirmed: false }],
]) {
  await sessionService.createSession({ appName: 'app', userId: 'ada', sessionId: name });
  const asked = await run(name, [{ text: 'Refund it.' }]);
  const [call] = asked.calls;
  const answer = call && { functionResponse: { id: call.id, name: call.name, response } };
  out[name] = {
    asked: { name: call?.name, hint: call?.args?.toolConfirmation?.hint, errors: asked.errors },
    then: answer && (await run(name, [answer])),
  };
}
console.log(JSON.stringify(out));
process.exit(0);
