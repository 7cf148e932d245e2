import { sqlStorage } from '@adorn/storage';
import { callsTool, says } from '@adorn/testing';
import { createRunner } from 'adorn';

import { geminiOrScript } from '../gemini-or-script.js';
import { Release } from './release.agent.js';

const NOTICE = 'The harbour is closed on Monday.';
const address = { userId: 'ada', sessionId: 's1' };

// `node main.js` begins the workflow, and `node main.js approve` goes on with it: two processes, one file.
const isApproval = process.argv[2] === 'approve';
const script = isApproval
  ? [says('It is published.'), says('The notice is on the website.')]
  : [says(NOTICE), callsTool('publish', { text: NOTICE })];
const model = geminiOrScript(...script);
await using runner = await createRunner(Release, { model, modules: [sqlStorage('release.db')] });

const [request] = await runner.pending(address);
if (isApproval && request === undefined) throw new Error('Nothing waits for an approval.');
const run =
  isApproval && request !== undefined
    ? runner.approve(request, { by: 'ada' })
    : runner.run({ ...address, message: 'The harbour' });
for await (const { author, text } of run) if (text !== '') console.log(`${author}: ${text}`);
for (const { path, hint } of await runner.pending(address)) console.log(`${path ?? ''} waits: ${hint ?? ''}`);
