import type { AddressInfo } from 'node:net';

import { sqlStorage } from '@adorn/storage';
import { OfflineModel } from '@adorn/testing';
import { createRunner } from 'adorn';

import { Desk } from './desk.agent.js';
import { People } from './people.js';
import { openServer } from './server.js';
import { SignInSessions } from './sessions.js';

const { PORT = '8000', STORE = 'desk.db', HTTPS = '' } = process.env;
const people = new People();
await people.add('ada', 'analytical engine');
await people.add('mia', 'mind the gap', ['lead']);

const runner = await createRunner(Desk, { model: new OfflineModel(), modules: [sqlStorage(STORE)] });
const server = await openServer(runner, people, new SignInSessions(HTTPS !== ''));
server.listen(Number(PORT), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(
    `Sign in as ada ("analytical engine") or mia ("mind the gap"): http://127.0.0.1:${String(port)}`,
  );
});

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
    void runner.close();
  });
