import { refuses, works } from '../outcome.mjs';
import { tsconfig } from '../tsconfig.mjs';
import { PRODUCTION } from './tsc.mjs';

/** What an application installs itself, given to Adorn: a container, a module, decorators, a message of @google/genai. */
const SHARES = `
import type { Content } from '@google/genai';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { Clock, createRunner } from 'adorn';
import { Container, ContainerModule, inject, injectable } from 'inversify';

import { Ledger } from './ledger.js';
import { play } from './play.js';
import { Shop } from './shop.agent.js';

@injectable()
class Audit {
  constructor(@inject(Ledger) readonly ledger: Ledger) {}
}

const container = new Container();
container.bind(Ledger).toSelf().inSingletonScope();
container.bind(Audit).toSelf();
const modules = [new ContainerModule(({ bind }) => void bind(Clock).toConstantValue({ now: () => 42 }))];
const model = new ScriptedModel(callsTool('label_orders', { label: 'gift', ids: ['A'] }), says('Done.'));
const runner = await createRunner(Shop, { container, modules, model });
const message: Content = { role: 'user', parts: [{ text: 'Go.' }] };
const answer = await runner.ask(message);
await runner.close();
const { entries } = container.get(Audit).ledger;
if (answer !== 'Done.' || entries.length !== 1) throw new Error(answer + ' ' + JSON.stringify(entries));
console.log('OUTCOME ' + JSON.stringify(await play()));
`;

/** Prints the path or URL of every module that the program loads, beside what it prints itself. */
const WATCH_LOADS = `
import { createRequire, register } from 'node:module';
const hook = \`
import { writeSync } from 'node:fs';
export async function load(url, context, next) { writeSync(2, 'LOADED ' + url + '\\\\n'); return next(url, context); }\`;
register('data:text/javascript,' + encodeURIComponent(hook));
process.on('exit', () => {
  for (const path of Object.keys(createRequire(import.meta.url).cache)) console.error('LOADED ' + path);
});
`;
const OURS = /^LOADED \S+\/adorn\/dist\/index\.js$/m;
/**
 * TypeScript, and the entries that extract schemas. The entry `on-demand` belongs to the process of the user: it finds
 * the sources, and starts the compiler.
 */
const COMPILER =
  /^LOADED \S*\/(?:@adorn\/compiler\/dist\/(?:index|derive)\.js|(?:typescript|typescript-json-schema)\/.*)$/m;

const NOT_INSTALLED = refuses('SCHEMA_MISSING', /@adorn\/compiler is not installed/);

/** A package of the monorepo is linked into the node_modules of the other one. */
const LINK =
  "const { mkdirSync, symlinkSync } = require('node:fs'); mkdirSync('shop/node_modules/@shop', { recursive: true }); " +
  "symlinkSync('../../../orders', 'shop/node_modules/@shop/orders', 'junction');";

/** The services are one package, the agent and what plays it another. */
const ORDERS = /^(?:address|ledger|order-status|orders|parcel)\.ts$/;

function ordersAndShop(file, text) {
  if (ORDERS.test(file)) return [`orders/src/${file}`, text];
  return [
    `shop/src/${file}`,
    text.replace(/'\.\/((?:address|ledger|orders|parcel)\.js)'/g, "'@shop/orders/$1'"),
  ];
}

const BUILT_ELSEWHERE = { tsc: 'typescript/bin/tsc', adorn: '@adorn/cli/bin/adorn.js' };

/** Where the packages and the sources lie: in one process, in an image without the compiler, in a monorepo, behind links. */
export const INSTALLED = [
  {
    name: 'the process of the user',
    tools: 'typescript-5',
    files: { 'tsconfig.json': tsconfig(), 'watch-loads.mjs': WATCH_LOADS },
    cells: [
      {
        name: 'derived on demand',
        before: [['tsc']],
        run: ['node', '--import', './watch-loads.mjs', 'build/main.js'],
        expects: worksWithout('holds no compiler', COMPILER),
      },
    ],
  },
  {
    name: 'without the compiler',
    tools: 'production',
    alsoNeeds: ['typescript-5'],
    files: { 'tsconfig.json': tsconfig({ types: [], lib: ['ES2023', 'DOM'] }) },
    cells: [
      {
        name: 'not built',
        before: [elsewhere('tsc')],
        run: ['node', 'build/main.js'],
        expects: NOT_INSTALLED,
      },
      {
        name: 'adorn build elsewhere',
        before: [elsewhere('adorn', 'build')],
        run: ['node', 'build/main.js'],
        env: PRODUCTION,
        expects: works(),
      },
    ],
  },
  {
    name: 'oldest versions',
    tools: 'oldest',
    files: { 'tsconfig.json': tsconfig(), 'src/main.ts': SHARES },
    cells: [
      { name: 'on demand', before: [['tsc']], run: ['node', 'build/main.js'], expects: works() },
      {
        name: 'adorn build',
        before: [['adorn', 'build']],
        run: ['node', 'build/main.js'],
        env: PRODUCTION,
        expects: works(),
      },
    ],
  },
  {
    name: 'a monorepo',
    tools: 'typescript-5',
    program: ordersAndShop,
    files: {
      'orders/package.json': { name: '@shop/orders', type: 'module', exports: { './*': './build/*' } },
      'orders/tsconfig.json': tsconfig({ composite: true }),
      'shop/package.json': { name: '@shop/shop', type: 'module' },
      'shop/tsconfig.json': tsconfig({}, { references: [{ path: '../orders' }] }),
    },
    cells: [
      {
        name: 'on demand',
        before: [
          ['node', '--eval', LINK],
          ['tsc', '--build', 'shop'],
        ],
        run: ['node', 'shop/build/main.js'],
        expects: works(),
      },
      {
        name: 'adorn build',
        before: [['adorn', 'build', '--project', 'shop']],
        run: ['node', 'shop/build/main.js'],
        env: PRODUCTION,
        expects: works(),
      },
    ],
  },
  {
    name: 'behind links',
    tools: 'linked',
    files: { 'tsconfig.json': tsconfig() },
    cells: [
      { name: 'on demand', before: [['tsc']], run: ['node', 'build/main.js'], expects: works() },
      {
        name: 'adorn build',
        before: [['adorn', 'build']],
        run: ['node', 'build/main.js'],
        env: PRODUCTION,
        expects: works(),
      },
    ],
  },
];

/** A tool of the set with the compiler, used on a project that has none. */
export function elsewhere(tool, ...args) {
  return ['node', `../../typescript-5/node_modules/${BUILT_ELSEWHERE[tool]}`, ...args];
}

/** It works, what it loads is seen, and nothing of it is what the pattern finds. */
function worksWithout(says, pattern) {
  return {
    says,
    judge: (run) => {
      const loaded = pattern.exec(run.output)?.[0];
      if (loaded !== undefined) return loaded;
      return OURS.test(run.output) ? works().judge(run) : `nothing is seen of what it loads:\n${run.output}`;
    },
  };
}
