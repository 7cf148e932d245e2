// Google's client of an ADK server talks to the server at an address. Prints what it got as one line of JSON.
//   node api-client.mjs URL APP
import { AdkApiClient } from './node_modules/@google/adk-devtools/dist/esm/server/adk_api_client.js';

const [, , backendUrl, appName] = process.argv;
const client = new AdkApiClient({ backendUrl });
const address = { appName, userId: 'ada', sessionId: 's1' };
const told = async (work) => {
  try {
    return await work();
  } catch (error) {
    return { thrown: error.message };
  }
};
const shown = (events) =>
  events.map(({ author, partial, content }) => ({
    author,
    partial: partial === true,
    parts: (content?.parts ?? []).map((part) => part.text ?? Object.keys(part)[0]),
  }));
const run = async (message, streaming, sessionId = 's1') => {
  const events = [];
  for await (const event of client.runAsync({ ...address, sessionId, newMessage: message, streaming }))
    events.push(event);
  return shown(events);
};

console.log(
  JSON.stringify({
    apps: await told(() => client.listApps()),
    created: await told(async () => (await client.createSession({ ...address, state: { city: 'Oslo' } })).id),
    whole: await told(() => run('Where is A?', false)),
    streamed: await told(() => run('Again.', true)),
    missing: await told(() => run('Hi.', false, 'nowhere')),
    session: await told(async () => {
      const { state, events } = await client.getSession(address);
      return { city: state.city, events: events.length };
    }),
    listed: await told(async () => (await client.listSessions(address)).map(({ id }) => id)),
    artifacts: await told(() => client.listArtifacts(address)),
  }),
);
process.exit(0);
