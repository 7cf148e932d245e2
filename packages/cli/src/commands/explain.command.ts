import { Command } from 'commander';

import { cacheLines } from '../explain/cache-lines.js';
import { explanationLines, requestSizes } from '../explain/explanation-lines.js';
import { type Output, paletteFor } from '../terminal/palette.js';
import { loadRunner, type LoadOptions } from './load-runner.js';

interface ExplainOptions extends LoadOptions {
  readonly user: string;
  readonly session?: string;
  readonly json?: boolean;
  readonly cache?: boolean;
}

/**
 * `adorn explain`: the request that a message would send, without a model call.
 *
 * @param bin the URL of the command
 */
export function explainCommand(bin: string, output: Output = process.stdout): Command {
  return new Command('explain')
    .description('print the request that a message would send to the model, without sending it')
    .argument('<file>', 'a .js or .ts file that exports an agent or a runner, or a folder that holds one')
    .argument('<message>', "the user's message")
    .option('--user <id>', 'the id of the user', 'user')
    .option('--session <id>', 'the conversation that the message continues (default: a new one)')
    .option('--store <url>', 'the store of conversations: a SQLite file or postgres://…')
    .option('--app <name>', "the application's name (default: the agent's)")
    .option('--cache', 'compare the request with that of the turn before: what a provider finds in its cache')
    .option('--json', 'print the request as JSON, with the sizes of its parts')
    .addHelpText('after', AFTER)
    .action((file: string, message: string, options: ExplainOptions) =>
      explain({ file, message, bin, output }, options),
    );
}

const AFTER = `
No model is called, no tool runs, and nothing is written to the conversation. Callbacks and plugins before the model,
and toolsets, are called as in a run. Tokens are estimated, one for 4.5 characters.

Examples:
  $ adorn explain src/support.agent.ts "Where is order W1?"
  $ adorn explain . "And when?" --store chats.db --session s1
  $ adorn explain . "And when?" --store chats.db --session s1 --cache
  $ adorn explain . "Where is order W1?" --json > request.json
`;

interface Wanted {
  readonly file: string;
  readonly message: string;
  readonly bin: string;
  readonly output: Output;
}

async function explain({ file, message, bin, output }: Wanted, options: ExplainOptions): Promise<void> {
  const { user: userId, session: sessionId, json, cache } = options;
  await using runner = await loadRunner(file, bin, options);
  const input = { userId, message, ...(sessionId !== undefined && { sessionId }) };
  const paint = paletteFor(output);
  if (cache === true) {
    const compared = await runner.explainCache(input);
    if (json === true) output.write(`${JSON.stringify(compared, undefined, 2)}\n`);
    else for (const { tone, text } of cacheLines(compared)) output.write(`${paint(tone, text)}\n`);
    return;
  }
  const explanation = await runner.explain(input);
  if (json === true) {
    const sizes = requestSizes(explanation);
    output.write(`${JSON.stringify({ ...explanation, sizes }, undefined, 2)}\n`);
    return;
  }
  for (const { tone, text } of explanationLines(explanation)) output.write(`${paint(tone, text)}\n`);
}
