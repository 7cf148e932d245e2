import { callsTool, says } from '@adorn/testing';
import { createRunner } from 'adorn';

import { geminiOrScript } from '../gemini-or-script.js';
import { Editing } from './editing.agent.js';

const model = geminiOrScript(
  says('The harbour is closed.'),
  says('Say when.'),
  says('The harbour is closed on Monday.'),
  callsTool('exit_loop'),
);
await using runner = await createRunner(Editing, { model });

const run = runner.run({ userId: 'ada', message: 'The harbour' });
for await (const { author, text, actions } of run) {
  if (text !== '') console.log(`${author}: ${text}`);
  if (actions.escalate === true) console.log(`${author} leaves the loop`);
}
const session = await runner.sessions.getSession(await run);
console.log(`Draft: ${String(session?.state['draft'])}`);
