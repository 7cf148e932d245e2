import { type Check, type Section, timed } from '@adorn/conformance/check';
import fc from 'fast-check';

import { attackClasses } from './attack-classes.js';
import { AttackedServer } from './attacked-server.js';
import { type FuzzedRequest, fuzzedRequest } from './fuzzed-request.js';
import { chaosSuite, type SuiteOptions } from '../suite.js';

const PROGRESS_EVERY = 1_000;

export const serverChaos = chaosSuite({
  name: 'server',
  takes: 'a minute',
  summary:
    'fuzzed requests, then the attacks that were published for servers of agents, on a server that ' +
    'listens; every refusal must be a typed error, and nobody may see what is of another user',
  counts: {
    requests: { default: 10000, what: 'fuzzed requests' },
  },
  quick: 'the attacks by few methods',
  run: attack,
});

/** Sends requests at random to a server that listens, then those of published attacks. */
async function* attack({
  from,
  counts: { requests },
  quick,
}: SuiteOptions<'requests'>): AsyncGenerator<Section> {
  yield await timed('fuzzed requests', async () => {
    await using server = await AttackedServer.open();
    const { checks, statuses } = await fuzz(server, from, requests);
    const answered = [...statuses].sort(([one], [other]) => one - other);
    console.log(`  ${answered.map(([status, count]) => `${String(status)}: ${String(count)}`).join(' · ')}`);
    return [
      { name: 'requests', checks },
      { name: 'the server afterwards', checks: await afterwards(server) },
    ];
  });
  yield await timed('published attacks', () => attackClasses(quick));
}

/** Sends the requests one after another, and counts the answers by their status. */
async function fuzz(server: AttackedServer, seed: number, numRuns: number) {
  const checks: Check[] = [];
  const statuses = new Map<number, number>();
  for (const sent of fc.sample(fuzzedRequest, { numRuns, seed })) {
    const { status, fault } = await outcomeOf(server, sent);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    checks.push({ what: `${sent.method} ${sent.path.slice(0, 80)} as ${sent.user.slice(0, 8)}`, fault });
    if (checks.length % PROGRESS_EVERY === 0) console.log(`  ${String(checks.length)} requests`);
  }
  return { checks, statuses };
}

async function outcomeOf(
  server: AttackedServer,
  sent: FuzzedRequest,
): Promise<{ status: number; fault?: string }> {
  try {
    const { status, text } = await server.send(sent);
    if (status < 400 || sent.method === 'HEAD' || sent.method === 'OPTIONS') return { status };
    const code = codeIn(text);
    if (code === undefined) return { status, fault: `an error without a code: ${text.slice(0, 200)}` };
    return code === 'INTERNAL_ERROR' ? { status, fault: text.slice(0, 200) } : { status };
  } catch (error) {
    return { status: 0, fault: String(error) };
  }
}

function codeIn(text: string): string | undefined {
  try {
    const { code } = JSON.parse(text.replace(/^data: /, '')) as { code?: unknown };
    return typeof code === 'string' && /^[A-Z_]+$/.test(code) ? code : undefined;
  } catch {
    return undefined;
  }
}

async function afterwards(server: AttackedServer): Promise<Check[]> {
  const { status, text } = await server.send({ path: '/list-apps' });
  const prototype = Object.keys(Object.prototype);
  return [
    { what: 'it answers', fault: status === 200 && text === '["desk"]' ? undefined : text },
    { what: 'no error was logged', fault: server.errors[0] },
    {
      what: 'Object.prototype is as it was',
      fault: prototype.length === 0 ? undefined : prototype.join(', '),
    },
  ];
}
