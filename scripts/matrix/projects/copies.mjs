import { endsWell } from '../outcome.mjs';
import { tsconfig } from '../tsconfig.mjs';
import { elsewhere } from './installed.mjs';
import { PRODUCTION } from './tsc.mjs';

/** A run waits for an approval in a database, and another process approves it. */
const DESK = `
import { sqlStorage } from '@adorn/storage';
import { callsTools, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent, tool } from 'adorn';

class Refunds {
  /** Finds an order. @param orderId Order number. */
  @tool({ effect: 'read' })
  findOrder(orderId: string): string {
    return 'order ' + orderId;
  }

  /** Refunds an order. @param orderId Order number. @param euros Amount in euros. */
  @tool({ effect: 'destructive', confirm: (orderId: string, euros: number) => 'Refund ' + euros + ' for ' + orderId + '?' })
  refundOrder(orderId: string, euros: number): { refunded: number } {
    return { refunded: euros };
  }
}

@agent({ description: 'Refunds orders.', tools: [Refunds] })
class Desk extends LlmAgent {}

const conversation = { userId: 'ada', sessionId: 's1' };
const calls = callsTools(
  { name: 'find_order', args: { orderId: 'A' } },
  { name: 'refund_order', args: { orderId: 'A', euros: 80 } },
);

const isSecond = process.argv[2] === 'approve';
const model = new ScriptedModel(...(isSecond ? [] : [calls]), says('Refunded.'));
const runner = await createRunner(Desk, { model, modules: [sqlStorage('desk.db')] });
if (isSecond) {
  const [request] = await runner.pending(conversation);
  if (request === undefined) throw new Error('Nothing is pending.');
  const { status, text } = await runner.approve(request, { by: 'grace', channel: 'test' });
  console.log('APPROVED', status, text);
} else {
  const { status, pending } = await runner.run({ ...conversation, message: 'Go.' });
  console.log('RUN', status, pending.map(({ hint }) => hint).join());
}
await runner.close();
`;

/** JavaScript, with the package that others extend. */
const ALONE = `
import { createRunner, defineAgent, FunctionTool } from '@adorn/core';
import { callsTool, says, ScriptedModel } from '@adorn/testing';

const parameters = { type: 'object', properties: { orderId: { type: 'string' } }, required: ['orderId'] };
const run = ({ orderId }) => console.log('found ' + orderId);
const findOrder = new FunctionTool({ name: 'find_order', description: 'Finds an order.', parameters, run });
const Desk = defineAgent({ name: 'desk', description: 'Finds orders.', tools: [findOrder] });
const model = new ScriptedModel(callsTool('find_order', { orderId: 'A' }), says('Done.'));
const runner = await createRunner(Desk, { model });
const { status, text } = await runner.run({ userId: 'ada', message: 'Go.' });
console.log(status, text);
`;

const FILES = { 'tsconfig.json': tsconfig(), 'src/desk.ts': DESK };

const BUNDLE = [
  'esbuild',
  'build/desk.js',
  '--bundle',
  '--platform=node',
  '--format=esm',
  '--outfile=out/desk.mjs',
];

/** Copies installed packages into another folder: `storage node_modules/@adorn/storage`. */
function copied(...copies) {
  const text = copies
    .map(([name, target]) => `cpSync('../node_modules/@adorn/${name}', '${target}', { recursive: true });`)
    .join(' ');
  return ['node', '--eval', `const { cpSync } = require('node:fs'); ${text}`];
}

const OWN_STORAGE = 'node_modules/@adorn/storage';

/** How many copies of core a program holds: one, or, by version skew or a bundle, two. All of them keep the approval. */
export const COPIES = [
  project('a storage with a core of its own', 'typescript-5', 'build/desk.js', [
    copied(['storage', OWN_STORAGE], ['core', `${OWN_STORAGE}/node_modules/@adorn/core`]),
    ['tsc'],
    ['adorn', 'build'],
  ]),
  project('a bundle beside an installed storage', 'typescript-5', 'out/desk.mjs', [
    ['tsc'],
    ['adorn', 'build'],
    [...BUNDLE, '--external:@adorn/storage'],
  ]),
  {
    ...project('versions of two releases', 'version skew', 'build/desk.js', [
      elsewhere('tsc'),
      elsewhere('adorn', 'build'),
    ]),
    alsoNeeds: ['typescript-5'],
  },
  {
    name: 'core alone',
    tools: 'core alone',
    files: { 'main.js': ALONE },
    cells: [
      {
        name: 'no class-validator',
        run: ['node', 'main.js'],
        env: PRODUCTION,
        expects: endsWell('calls the tool', /^found A\nanswered Done\.$/m),
      },
    ],
  },
  project('pnpm', 'pnpm', 'build/desk.js', [['tsc'], ['adorn', 'build']]),
];

/** @returns {import('../run-project.mjs').Project} */
function project(name, tools, main, before) {
  return {
    name,
    tools,
    files: FILES,
    cells: [
      {
        name: 'pauses',
        before,
        run: ['node', main],
        env: PRODUCTION,
        expects: says(/^RUN paused Refund 80 for A\?$/m),
      },
      {
        name: 'approves in another process',
        run: ['node', main, 'approve'],
        env: PRODUCTION,
        expects: says(/^APPROVED answered Refunded\.$/m),
      },
    ],
  };
}

function says(pattern) {
  return endsWell('keeps the approval', pattern);
}
