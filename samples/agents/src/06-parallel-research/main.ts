import { says } from '@adorn/testing';
import { createRunner } from 'adorn';

import { geminiOrScript } from '../gemini-or-script.js';
import { Briefing } from './briefing.agent.js';

const model = geminiOrScript(
  says('One bike in four is electric.'),
  says('The motor must stop at 25 km/h.'),
  says('Electric bikes are a quarter of the market. Their motor must stop at 25 km/h.'),
);
await using runner = await createRunner(Briefing, { model });

for await (const { author, branch, text } of runner.run({ userId: 'ada', message: 'Electric bikes' })) {
  if (text !== '') console.log(`${author} on ${branch ?? 'the trunk'}: ${text}`);
}
