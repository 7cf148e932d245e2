import { works } from '../outcome.mjs';
import { tsconfig } from '../tsconfig.mjs';
import { PRODUCTION } from './tsc.mjs';

const WORKER = `
import { play } from './play.js';

export default {
  async fetch(): Promise<Response> {
    const outcome = await play().catch(({ code, message }: { code?: string; message: string }) => ({ code, message }));
    return Response.json(outcome);
  },
};
`;

/** As wrangler bundles a Worker, with the plugin of Adorn. */
const BUNDLE = `
import adorn from '@adorn/compiler/esbuild';
import { build } from 'esbuild';

await build({
  entryPoints: ['src/worker.ts'],
  outfile: 'out/worker.mjs',
  bundle: true,
  format: 'esm',
  target: 'es2022',
  platform: 'browser',
  mainFields: ['module', 'main'],
  conditions: ['workerd', 'worker', 'browser'],
  external: ['node:*', 'crypto', 'fs', 'module', 'path', 'url'],
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [adorn()],
  logLevel: 'error',
});
`;

const SERVE = `
import { readFileSync } from 'node:fs';

import { Miniflare } from 'miniflare';

const worker = { type: 'ESModule', path: 'worker.mjs', contents: readFileSync('out/worker.mjs', 'utf8') };
const server = new Miniflare({
  modules: [worker],
  compatibilityDate: '2026-05-01',
  compatibilityFlags: ['nodejs_compat'],
  host: '127.0.0.1',
});
try {
  const response = await server.dispatchFetch('http://worker/');
  console.log('OUTCOME ' + (await response.text()));
} finally {
  await server.dispose();
}
`;

/** Places that refuse `new Function`, with which Ajv compiles schemas. */
export const WITHOUT_CODE_GENERATION = [
  {
    name: 'no code generation',
    tools: 'typescript-5',
    files: { 'tsconfig.json': tsconfig() },
    cells: [
      {
        name: 'node',
        before: [['tsc'], ['adorn', 'build']],
        run: ['node', '--disallow-code-generation-from-strings', 'build/main.js'],
        env: PRODUCTION,
        expects: works(),
      },
    ],
  },
  {
    name: 'workerd',
    tools: 'workerd',
    files: {
      'tsconfig.json': tsconfig({ lib: ['ES2023', 'DOM'] }),
      'src/worker.ts': WORKER,
      'bundle.mjs': BUNDLE,
      'serve.mjs': SERVE,
    },
    cells: [
      {
        name: 'plugin, production',
        before: [['node', 'bundle.mjs']],
        run: ['node', 'serve.mjs'],
        expects: works(),
      },
    ],
  },
];
