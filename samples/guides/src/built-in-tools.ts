import { callsTool, says, ScriptedModel } from '@adorn/testing';
import {
  agent,
  createRunner,
  exitLoop,
  googleSearch,
  LlmAgent,
  loadArtifacts,
  preloadMemory,
  urlContext,
} from 'adorn';

/** Answers questions about current events, with sources. */
@agent({ model: 'gemini-2.5-flash', tools: [googleSearch(), urlContext()] })
class Reporter extends LlmAgent {}

/** Reviews notices that are stored as files. */
@agent({ model: 'gemini-2.5-flash', tools: [loadArtifacts(), preloadMemory(3), exitLoop()] })
class Editor extends LlmAgent {}

const searching = new ScriptedModel({
  ...says('The harbour is closed on Monday.'),
  groundingMetadata: { groundingChunks: [{ web: { uri: 'https://harbour.example', title: 'Harbour' } }] },
});
await using reporter = await createRunner(Reporter, { model: searching });
const { events } = await reporter.run({ userId: 'ada', message: 'When is the harbour closed?' });
console.log('Tools of the request:', searching.requests[0]?.config.tools);
console.log('Source:', events.at(-1)?.groundingMetadata?.groundingChunks?.[0]?.web?.uri);

const reading = new ScriptedModel(
  says('There is nothing to review yet.'),
  callsTool('load_artifacts', { artifact_names: ['notice.txt', 'draft.txt'] }),
  says('The notice is good.'),
);
await using editor = await createRunner(Editor, { model: reading });
const greeting = await editor.run({ userId: 'ada', message: 'Hello.' });
await editor.artifacts.save(greeting, 'notice.txt', { text: 'The harbour is closed.' });
const { sessionId } = greeting;
const review = await editor.run({ userId: 'ada', sessionId, message: 'Review the notice.' });
console.log('The response:', JSON.stringify(review.events[1]?.functionResponses[0]?.response));
console.log('The model reads:', reading.requests[2]?.contents.at(-1)?.parts);
