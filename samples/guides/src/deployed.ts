import { serve } from '@adorn/server';
import { sqlStorage } from '@adorn/storage';
import { agent, LlmAgent } from 'adorn';

/** Service desk of a shop. */
@agent({ model: 'gemini-2.5-flash' })
class Desk extends LlmAgent {}

const { PORT = '8080', DATABASE_URL = 'desk.db', KEY_OF_SHOP } = process.env;

const server = await serve(Desk, {
  host: '0.0.0.0',
  port: Number(PORT),
  allowedHosts: ['desk.example.com'],
  authenticate: ({ headers }) =>
    KEY_OF_SHOP !== undefined && headers.get('x-key') === KEY_OF_SHOP ? 'shop' : undefined,
  runner: { modules: [sqlStorage(DATABASE_URL)] },
});
// Runs that have not ended are cancelled, and say so in the log.
process.once('SIGTERM', () => void server.close());
