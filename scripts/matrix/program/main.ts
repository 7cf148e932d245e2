import { play } from './play.js';

play()
  .catch((error: { code?: string; message: string }) => ({ code: error.code, message: error.message }))
  .then((outcome) => console.log(`OUTCOME ${JSON.stringify(outcome)}`));
