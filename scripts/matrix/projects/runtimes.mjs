import { works } from '../outcome.mjs';
import { tsconfig } from '../tsconfig.mjs';
import { PRODUCTION } from './tsc.mjs';

const BUILT = {
  name: 'adorn build',
  before: [['tsc'], ['adorn', 'build']],
  env: PRODUCTION,
  expects: works(),
};

const ROUTE = `
import { play } from '../../src/play.js';

export const dynamic = 'force-dynamic';

export async function GET(): Promise<Response> {
  const outcome = await play().catch(({ code, message }: { code?: string; message: string }) => ({ code, message }));
  return Response.json(outcome);
}
`;

/** The plugin bundles the schemas with the tools; the packages of Adorn stay in node_modules, as Next says of servers. */
const NEXT_CONFIG = `
import adorn from '@adorn/compiler/webpack';

export default {
  serverExternalPackages: ['adorn', '@adorn/core', '@adorn/testing'],
  webpack(config) {
    config.plugins.push(adorn());
    config.resolve.extensionAlias = { '.js': ['.ts', '.js'] };
    return config;
  },
};
`;

const BUILD_AND_SERVE = `
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import next from 'next';

const command = createRequire(import.meta.url).resolve('next/dist/bin/next');
const { status } = spawnSync(process.execPath, [command, 'build'], { stdio: 'inherit' });
if (status !== 0) process.exit(1);
const application = next({ dev: false, dir: process.cwd() });
await application.prepare();
const server = createServer(application.getRequestHandler()).listen(0, '127.0.0.1', async () => {
  const response = await fetch('http://127.0.0.1:' + server.address().port + '/play');
  console.log('OUTCOME ' + (await response.text()));
  process.exit(0);
});
`;

/** The program where Node is not what runs it. */
export const RUNTIMES = [
  {
    name: 'Bun',
    tools: 'runtimes',
    files: { 'tsconfig.json': tsconfig() },
    cells: [
      { name: 'the sources', run: ['bun', 'src/main.ts'], expects: works() },
      { ...BUILT, run: ['bun', 'build/main.js'] },
    ],
  },
  {
    name: 'Deno',
    tools: 'runtimes',
    files: { 'tsconfig.json': tsconfig() },
    cells: [
      {
        name: 'the sources',
        run: ['deno', 'run', '--allow-all', '--unstable-sloppy-imports', 'src/main.ts'],
        expects: works(),
      },
      { ...BUILT, run: ['deno', 'run', '--allow-all', 'build/main.js'] },
    ],
  },
  {
    name: 'Next.js',
    tools: 'next',
    files: {
      'tsconfig.json': tsconfig(
        {
          module: 'ESNext',
          moduleResolution: 'Bundler',
          lib: ['ES2023', 'DOM'],
          jsx: 'preserve',
          isolatedModules: true,
          noEmit: true,
          rootDir: '.',
        },
        { include: ['src', 'app'] },
      ),
      'next.config.mjs': NEXT_CONFIG,
      'app/play/route.ts': ROUTE,
      'serve.mjs': BUILD_AND_SERVE,
    },
    cells: [
      {
        name: 'a route handler, built by webpack with the plugin',
        run: ['node', 'serve.mjs'],
        env: { ...PRODUCTION, NEXT_TELEMETRY_DISABLED: '1' },
        expects: works(),
      },
    ],
  },
];
