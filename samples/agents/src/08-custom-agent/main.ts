import { says } from '@adorn/testing';
import { ContainerModule, createRunner } from 'adorn';

import { geminiOrScript } from '../gemini-or-script.js';
import { OfficeHours, Triage } from './triage.agent.js';

const night = new ContainerModule(({ bind }) => {
  bind(OfficeHours).toConstantValue(new OfficeHours(() => 2));
});
const model = geminiOrScript(says('normal'), says('We deliver to Norway.'), says('urgent'));
await using runner = await createRunner(Triage, { model, modules: [night] });

for (const message of ['Do you deliver to Norway?', 'Water runs out of your lorry!']) {
  const { events } = await runner.run({ userId: 'ada', message });
  for (const { author, text } of events) if (text !== '') console.log(`${author}: ${text}`);
}
