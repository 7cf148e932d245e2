import { closeOnSignal } from '../application/close-on-signal.js';
import { defineCommand } from '../command/declaration.js';
import { required } from '../command/parameter.js';
import { FILE, json, STORE_OPTIONS, USER } from '../command/shared-parameters.js';
import { counted } from '../terminal/counted.js';
import { printJson, printLine } from '../terminal/print.js';
import { WorkInProgress } from '../terminal/work-in-progress.js';
import { loadRunner } from './load-runner.js';

/** `adorn record`: a cassette of a stored conversation, so that what happened once becomes a test. */
export const recordCommand = defineCommand({
  name: 'record',
  summary: 'make a cassette of a stored conversation, which recorded(model, file) replays in tests',
  arguments: { file: FILE },
  options: {
    ...STORE_OPTIONS,
    user: USER,
    session: required('<id>', 'the conversation'),
    out: required('<file>', 'the cassette, such as refund.cassette.json', { completes: 'files' }),
    json: json('print how many exchanges were recorded as JSON'),
  },
  notes: `
The agents hold the conversation again, in stores of their own: models and tools say what they said then. No model is asked and no tool runs. Secrets are left out, and a cassette that is there is replaced.`,
  exitCodes: {
    1: 'there is no such conversation, or it takes another course with the agents as they are now',
  },
  examples: ['adorn record . --store chats.db --session s1 --out refund.cassette.json'],
  async run({ file, user, session, out, json: isJson, ...options }, { bin, output, errors }) {
    using working = new WorkInProgress(errors, !isJson);
    await using runner = await loadRunner(file, bin, { ...options, working });
    using _closing = closeOnSignal(runner);
    working.on('Holding the conversation again');
    const { recordSession } = await import('@adorn/testing');
    const exchanges = await recordSession(runner, { userId: user, sessionId: session }, out);
    working.done();
    if (isJson) printJson(output, { exchanges, file: out });
    else printLine(output, `${counted(exchanges, 'exchange')} in ${out}`);
  },
});
