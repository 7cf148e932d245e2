import { says } from '@adorn/testing';
import { createRunner } from 'adorn';

import { geminiOrScript } from '../gemini-or-script.js';
import { ReleaseNotes } from './release-notes.agent.js';

const model = geminiOrScript(
  says('Search finds names with accents.\nThe export is faster.'),
  says('You can now search for names with accents. Exports take half the time.'),
  says('Search knows accents, and exports are fast.'),
);
await using runner = await createRunner(ReleaseNotes, { model });

const message = 'fix: accents in search; perf: stream the export; chore: bump dependencies';
for await (const { author, text } of runner.run({ userId: 'ada', message })) {
  if (text !== '') console.log(`${author}: ${text}`);
}
