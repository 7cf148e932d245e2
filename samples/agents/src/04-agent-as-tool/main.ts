import { callsTool, says } from '@adorn/testing';
import { createRunner } from 'adorn';

import { geminiOrScript } from '../gemini-or-script.js';
import { Travel } from './travel.agent.js';

const model = geminiOrScript(
  callsTool('forecaster', { request: 'Bergen, tomorrow' }),
  says('{"celsius":9,"sky":"rain"}'),
  callsTool('translator', { request: 'To Norwegian: Visit the museums.' }),
  says('Besøk museene.'),
  says('It rains. In Norwegian: Besøk museene.'),
);
await using runner = await createRunner(Travel, { model });

const message = 'A day in Bergen tomorrow. Give me the plan in Norwegian.';
for await (const { author, text, functionCalls, functionResponses } of runner.run({
  userId: 'ada',
  message,
})) {
  for (const { name, args } of functionCalls) console.log(`${author} calls ${name ?? ''}:`, args);
  for (const { name, response } of functionResponses) console.log(`${name ?? ''} answers:`, response);
  if (text !== '') console.log(`${author}: ${text}`);
}
