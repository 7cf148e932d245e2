import { callsTool, says } from '@adorn/testing';
import { createRunner } from 'adorn';

import { geminiOrScript } from '../gemini-or-script.js';
import { Secretary } from './secretary.agent.js';

const model = geminiOrScript(
  says('I will remember that.'),
  callsTool('write_letter', { recipient: 'Grace', text: 'Kjære Grace, vi sees i mai.' }),
  says('The letter is written.'),
  callsTool('load_artifacts', { artifact_names: ['letter-grace.txt'] }),
  callsTool('write_letter', { recipient: 'Grace', text: 'Kjære Grace, vi sees i juni.' }),
  says('Now it says June.'),
);
await using runner = await createRunner(Secretary, { model });

const monday = await runner.run({ userId: 'ada', message: 'Letters to Grace are in Norwegian.' });
const conversation = await runner.sessions.getSession(monday);
if (conversation !== undefined) await runner.memory.addSessionToMemory(conversation);

const friday = { userId: 'ada', sessionId: 'friday' };
for (const message of ['Write a letter to Grace: we meet in May.', 'Change May to June.']) {
  const { text } = await runner.run({ ...friday, message });
  console.log(text);
}
const scope = { appName: monday.appName, ...friday };
for (const version of await runner.artifacts.versions(scope, 'letter-grace.txt')) {
  const letter = await runner.artifacts.load(scope, 'letter-grace.txt', version);
  console.log(`Version ${String(version)}: ${letter?.text ?? ''}`);
}
