import { defineCommand } from '../command/declaration.js';
import { flag, required, text } from '../command/parameter.js';
import { json, REQUIRED_FILE, STORE_OPTIONS, USER } from '../command/shared-parameters.js';
import { cacheLines } from '../explain/cache-lines.js';
import { explanationLines, requestSizes } from '../explain/explanation-lines.js';
import { printJson, printLines } from '../terminal/print.js';
import { WorkInProgress } from '../terminal/work-in-progress.js';
import { loadRunner } from './load-runner.js';

/** `adorn explain`: the request that a message would send, without a model call. */
export const explainCommand = defineCommand({
  name: 'explain',
  summary: 'print the request that a message would send to the model, without sending it',
  arguments: { file: REQUIRED_FILE, message: required('<message>', "the user's message") },
  options: {
    user: USER,
    session: text('<id>', 'the conversation that the message continues (default: a new one)'),
    ...STORE_OPTIONS,
    cache: flag('compare the request with that of the turn before: what a provider finds in its cache'),
    json: json('print the request as JSON, with the sizes of its parts'),
  },
  notes: `
No model is called, no tool runs, and nothing is written to the conversation. Callbacks and plugins before the model, and
toolsets, are called as in a run. Tokens are estimated, one for 4.5 characters.`,
  examples: [
    'adorn explain src/support.agent.ts "Where is order W1?"',
    'adorn explain . "And when?" --store chats.db --session s1',
    'adorn explain . "And when?" --store chats.db --session s1 --cache',
    'adorn explain . "Where is order W1?" --json > request.json',
  ],
  async run({ file, message, user: userId, session: sessionId, app, store, cache, json: isJson }, context) {
    const { bin, output, errors } = context;
    using working = new WorkInProgress(errors, !isJson);
    await using runner = await loadRunner(file, bin, { app, store, working });
    working.on('Making the request');
    const input = { userId, message, ...(sessionId !== undefined && { sessionId }) };
    if (cache) {
      const compared = await runner.explainCache(input);
      working.done();
      if (isJson) printJson(output, compared);
      else printLines(output, cacheLines(compared));
      return;
    }
    const explanation = await runner.explain(input);
    working.done();
    if (isJson) printJson(output, { ...explanation, sizes: requestSizes(explanation) });
    else printLines(output, explanationLines(explanation));
  },
});
