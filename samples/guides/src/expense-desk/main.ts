import { sqlStorage } from '@adorn/storage';
import { OfflineModel } from '@adorn/testing';
import { createRunner } from 'adorn';

import { Desk } from './desk.agent.js';
import { serveDesk } from './serve-desk.js';

const { PORT = '8000', STORE = 'expenses.db' } = process.env;
const runner = await createRunner(Desk, { model: new OfflineModel(), modules: [sqlStorage(STORE)] });
const { url } = await serveDesk(runner, Number(PORT));
console.log(`Set the cookie user=ada, or user=mia, and open ${url}`);
