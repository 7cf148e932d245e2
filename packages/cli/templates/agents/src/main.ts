import { createRunner } from 'adorn';
import { chooseModel, reportFailure } from 'adorn/main';

import { Desk } from './desk.agent.js';

async function main(): Promise<void> {
  const message = process.argv.slice(2).join(' ') || 'Where is the parcel of my order A-100?';
  const { model, line } = chooseModel();
  console.log(line);
  await using runner = await createRunner(Desk, { model });
  console.log(`> ${message}`);
  for await (const event of runner.run({ userId: 'me', message })) {
    if (event.text !== '') console.log(`${event.author}: ${event.text}`);
    for (const { name, args } of event.functionCalls) console.log(event.author, 'calls', name, args);
  }
}

main().catch(reportFailure);
