import type { InboxFilter, InboxPage, PrincipalInput } from 'adorn/backend';
import type { Runner } from 'adorn';
import { Command } from 'commander';

import { type Output, paletteFor } from '../terminal/palette.js';
import { printable } from '../terminal/printable.js';
import { UsageError } from '../usage.error.js';
import { loadRunner, type LoadOptions } from './load-runner.js';

interface InboxOptions extends LoadOptions {
  readonly for?: string;
  readonly by?: string;
  readonly role: readonly string[];
  readonly tenant?: string;
  readonly tool?: string;
  readonly olderThan?: string;
  readonly approve?: string;
  readonly reject?: string;
  readonly reason?: string;
  readonly json?: boolean;
}

/**
 * `adorn inbox`: the requests that wait in all conversations of a store, and an answer to one of them.
 *
 * @param bin the URL of the command
 */
export function inboxCommand(bin: string, output: Output = process.stdout): Command {
  const collect = (role: string, roles: readonly string[]): readonly string[] => [...roles, role];
  return new Command('inbox')
    .description('list the requests that wait in all conversations, and answer one')
    .argument(
      '[file]',
      'a .js or .ts file that exports an agent or a runner, or a folder that holds one',
      '.',
    )
    .option('--store <url>', 'the store of conversations: a SQLite file or postgres://…')
    .option('--app <name>', "the application's name (default: the agent's)")
    .option('--for <id>', 'only what this person may answer')
    .option('--role <role>', 'a role of the person of --for or --by; may be repeated', collect, [])
    .option('--tenant <name>', 'the tenant of the person of --for or --by')
    .option('--tool <name>', 'only requests of calls of this tool')
    .option('--older-than <time>', 'only requests that have waited so long, such as 30m, 4h, 2d')
    .option('--approve <id>', 'approve the request with this id')
    .option('--reject <id>', 'reject the request with this id')
    .option('--reason <text>', 'why it is rejected; the model reads it')
    .option('--by <id>', 'who answers')
    .option('--json', 'print each request as a line of JSON')
    .addHelpText('after', AFTER)
    .action((file: string, options: InboxOptions) => showInbox({ file, bin, output }, options));
}

const AFTER = `
Whoever may read the store may say who answers: the command is for operators. What a person may answer is decided by
"approvers" of the tool, as everywhere; an answer that is not allowed changes nothing. An approved call runs in this process.

Examples:
  $ adorn inbox . --store chats.db
  $ adorn inbox . --store chats.db --for mia --role manager --older-than 4h
  $ adorn inbox . --store chats.db --approve adk-4f2a --by mia --role manager
  $ adorn inbox . --store chats.db --reject adk-4f2a --by mia --role manager --reason "Not this month."
`;

interface Place {
  readonly file: string;
  readonly bin: string;
  readonly output: Output;
}

async function showInbox({ file, bin, output }: Place, options: InboxOptions): Promise<void> {
  const { approve, reject, by, for: reader } = options;
  const id = approve ?? reject;
  if (approve !== undefined && reject !== undefined)
    throw new UsageError('There are --approve and --reject. Pass one of them.');
  if (id !== undefined && by === undefined)
    throw new UsageError('Nothing says who answers. Pass --by, such as --by mia --role manager.');
  const person = by ?? reader;
  if (person === undefined && (options.role.length > 0 || options.tenant !== undefined))
    throw new UsageError('--role and --tenant are those of a person. Pass --for or --by, too.');
  await using runner = await loadRunner(file, bin, options);
  if (id === undefined) await list(runner, options, output);
  else await answer(runner, id, options, output);
}

/** Somebody with roles or a tenant is a principal; an id alone is a name that the operator states. */
function principalOf(id: string, { role: roles, tenant }: InboxOptions): PrincipalInput {
  if (roles.length === 0 && tenant === undefined) return id;
  return { id, roles, tenant };
}

async function list(runner: Runner<unknown>, options: InboxOptions, output: Output): Promise<void> {
  const { tool, olderThan, json } = options;
  const reader = options.for ?? options.by;
  const filter = {
    for: reader === undefined ? undefined : principalOf(reader, options),
    tool,
    olderThan,
  };
  let count = 0;
  for await (const request of requestsOf(runner, filter)) {
    output.write(json === true ? `${JSON.stringify(request)}\n` : `${lineOf(request, output)}\n`);
    count++;
  }
  if (json !== true) output.write(`${String(count)} waiting\n`);
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
  const { status } = await run;
  const verb = options.reject === undefined ? 'approved' : 'rejected';
  output.write(`${printable(`${id} ${verb} by ${options.by ?? ''}: ${status}`)}\n`);
}
