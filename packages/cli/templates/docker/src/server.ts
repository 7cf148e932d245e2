import { serve } from '@adorn/server';
import { sqlStorage } from '@adorn/storage';
import { chooseModel, reportFailure } from 'adorn/main';

import { Hello } from '../../minimal/src/hello.agent.js';

const { PORT = '8080', DATABASE_URL = 'my-app.db', ADORN_TOKEN: token } = process.env;

async function main(): Promise<void> {
  if (token === undefined)
    throw new Error(
      'Set ADORN_TOKEN, the secret of who may call (16 characters or more), or pass authenticate.',
    );
  const { model, line } = chooseModel();
  const server = await serve(Hello, {
    host: '0.0.0.0',
    port: Number(PORT),
    allowedHosts: 'any',
    // Who has the token is a developer and sees everything. For users, pass authenticate: it says who sends a request.
    token,
    runner: { model, modules: [sqlStorage(DATABASE_URL)] },
  });
  console.log(`${line}\n${server.url}`);
  process.once('SIGTERM', () => void server.close());
}

main().catch(reportFailure);
