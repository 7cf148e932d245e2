import { createRunner } from 'adorn';
import { chooseModel, reportFailure } from 'adorn/main';

import { Hello } from './hello.agent.js';

async function main(): Promise<void> {
  const message = process.argv.slice(2).join(' ') || 'Roll a die with 20 sides';
  const { model, line } = chooseModel();
  console.log(line);
  await using runner = await createRunner(Hello, { model });
  console.log(`> ${message}`);
  console.log(await runner.ask(message, { userId: 'me' }));
}

main().catch(reportFailure);
