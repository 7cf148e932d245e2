import type { InboxFilter, InboxPage } from 'adorn/backend';
import type { Runner } from 'adorn';

import { closeOnSignal } from '../application/close-on-signal.js';
import { CommandFailedError } from '../command-failed.error.js';
import { type CommandContext, defineCommand } from '../command/declaration.js';
import { type Parameters, text, texts, type ValuesOf } from '../command/parameter.js';
import { FILE, json, STORE_OPTIONS } from '../command/shared-parameters.js';
import { type Output, paletteFor } from '../terminal/palette.js';
import { printable } from 'adorn/main';
import { printJsonLine, printLine } from '../terminal/print.js';
import { UsageError } from '../usage.error.js';
import { loadRunner } from './load-runner.js';
import { principalOf } from './principal-of.js';

const OPTIONS = {
  ...STORE_OPTIONS,
  for: text('<id>', 'only what this person may answer'),
  role: texts('<name>', 'a role of the person of --for or --by; may be repeated'),
  tenant: text('<name>', 'the tenant of the person of --for or --by'),
  tool: text('<name>', 'only requests of calls of this tool'),
  olderThan: text('<time>', 'only requests that have waited so long, such as 30m, 4h, 2d'),
  approve: text('<id>', 'approve the request with this id', { conflicts: ['reject'] }),
  reject: text('<id>', 'reject the request with this id'),
  reason: text('<text>', 'why it is rejected; the model reads it'),
  by: text('<id>', 'who answers'),
  json: json('print each request as a line of JSON'),
} satisfies Parameters;

type InboxOptions = ValuesOf<typeof OPTIONS>;

/** `adorn inbox`: the requests that wait in all conversations of a store, and an answer to one of them. */
export const inboxCommand = defineCommand({
  name: 'inbox',
  summary: 'list the requests that wait in all conversations, and answer one',
  arguments: { file: FILE },
  options: OPTIONS,
  notes: `
Whoever may read the store may say who answers: the command is for operators. What a person may answer is decided by "approvers" of
the tool, as everywhere; an answer that is not allowed changes nothing. An approved call runs in this process.`,
  exitCodes: {
    1: 'the person may not answer, and nothing was changed; or the run that follows has failed',
  },
  examples: [
    'adorn inbox . --store chats.db',
    'adorn inbox . --store chats.db --for mia --role manager --older-than 4h',
    'adorn inbox . --store chats.db --approve adk-4f2a --by mia --role manager',
    'adorn inbox . --store chats.db --reject adk-4f2a --by mia --role manager --reason "Not this month."',
  ],
  run: showInbox,
});

async function showInbox(
  { file, ...options }: InboxOptions & { readonly file: string },
  { bin, output }: CommandContext,
): Promise<void> {
  const { approve, reject, by, for: reader } = options;
  const id = approve ?? reject;
  if (id !== undefined && by === undefined)
    throw new UsageError('Nothing says who answers. Pass --by, such as --by mia --role manager.');
  const person = by ?? reader;
  if (person === undefined && (options.role.length > 0 || options.tenant !== undefined))
    throw new UsageError('--role and --tenant are those of a person. Pass --for or --by, too.');
  await using runner = await loadRunner(file, bin, options);
  using _closing = closeOnSignal(runner);
  if (id === undefined) await list(runner, options, output);
  else await answer(runner, id, options, output);
}

async function list(runner: Runner<unknown>, options: InboxOptions, output: Output): Promise<void> {
  const { tool, olderThan, json: isJson } = options;
  const reader = options.for ?? options.by;
  const filter = {
    for: reader === undefined ? undefined : principalOf(reader, options),
    tool,
    olderThan,
  };
  let count = 0;
  for await (const request of requestsOf(runner, filter)) {
    if (isJson) printJsonLine(output, request);
    else output.write(`${lineOf(request, output)}\n`);
    count++;
  }
  if (!isJson) output.write(`${String(count)} waiting\n`);
}

type Waiting = InboxPage['requests'][number];

async function* requestsOf(runner: Runner<unknown>, filter: InboxFilter): AsyncGenerator<Waiting> {
  for (let after: string | undefined; ;) {
    const { requests, next } = await runner.inbox({ ...filter, after });
    yield* requests;
    if (next === undefined) return;
    after = next;
  }
}

function lineOf({ id, kind, userId, sessionId, tool, args, hint, askedAt, quorum }: Waiting, output: Output) {
  const paint = paletteFor(output);
  const { needed, approved } = quorum;
  const facts = [
    new Date(askedAt * 1_000).toISOString(),
    `${userId}/${sessionId}`,
    `${kind} of ${tool} ${JSON.stringify(args)}`,
    ...(hint === undefined ? [] : [hint]),
    ...(needed > 1 ? [`${String(approved)} of ${String(needed)} have approved`] : []),
  ];
  return `${paint('title', printable(id))}  ${printable(facts.join('  '))}`;
}

async function answer(
  runner: Runner<unknown>,
  id: string,
  options: InboxOptions,
  output: Output,
): Promise<void> {
  const found: Waiting[] = [];
  for await (const request of requestsOf(runner, {})) if (request.id === id) found.push(request);
  const [request, ...others] = found;
  if (request === undefined)
    throw new UsageError(
      `No request with the id ${id} waits. Without --approve and --reject, all are listed.`,
    );
  if (others.length > 0)
    throw new UsageError(`${String(found.length)} conversations have a request with the id ${id}.`);
  const by = principalOf(options.by ?? '', options);
  const { reason } = options;
  const run =
    options.reject === undefined ? runner.approve(request, { by }) : runner.reject(request, { by, reason });
  const { status, error } = await run;
  const verb = options.reject === undefined ? 'approved' : 'rejected';
  if (options.json) printJsonLine(output, { id, answer: verb, by, status });
  else printLine(output, `${id} ${verb} by ${options.by ?? ''}: ${status}`);
  // A call that no model has made fails its run where it is rejected.
  if (error !== undefined && options.reject === undefined)
    throw new CommandFailedError(
      `The answer is stored, and the run that followed it has failed: ${error.message}`,
    );
}
