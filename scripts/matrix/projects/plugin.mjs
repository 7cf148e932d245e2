import { works } from '../outcome.mjs';
import { tsconfig } from '../tsconfig.mjs';
import { OUTSIDE, webpackConfig } from './bundlers.mjs';
import { PRODUCTION } from './tsc.mjs';

const ESBUILD = { bundle: true, platform: 'node', format: 'esm', packages: 'external' };

/** Bundles that hold their schemas, so that production needs neither the compiler nor the sources. */
export const PLUGIN = [
  bundledBy(
    'esbuild',
    (minify) => `import adorn from '@adorn/compiler/esbuild';
import { build } from 'esbuild';
const settings = ${JSON.stringify({ ...ESBUILD, entryPoints: ['src/main.ts'], outfile: 'out/main.mjs', minify })};
await build({ ...settings, plugins: [adorn()] });
`,
    (script) => ['node', script],
  ),
  bundledBy(
    'vite build',
    (minify) => `import adorn from '@adorn/compiler/vite';
const rolldownOptions = { output: { entryFileNames: 'main.mjs' } };
const build = { ssr: 'src/main.ts', outDir: 'out', target: 'node20', minify: ${String(minify)}, rolldownOptions };
export default { build, plugins: [adorn()] };
`,
    (config) => ['vite', 'build', '--config', config],
  ),
  bundledBy(
    'rolldown',
    (minify) => `import adorn from '@adorn/compiler/rolldown';
const output = { file: 'out/main.mjs', minify: ${String(minify)} };
const external = ${JSON.stringify(OUTSIDE)};
export default { input: 'src/main.ts', platform: 'node', external, output, plugins: [adorn()] };
`,
    (config) => ['rolldown', '-c', config],
  ),
  bundledBy(
    'webpack',
    (minimize) => `import adorn from '@adorn/compiler/webpack';
${webpackConfig({ optimization: { minimize } })}
settings.plugins = [adorn()];
`,
    (config) => ['webpack', '--config', config],
  ),
];

function bundledBy(bundler, config, command) {
  const cell = (name, script) => ({
    name,
    before: [command(script)],
    run: ['node', 'out/main.mjs'],
    env: PRODUCTION,
    expects: works(),
  });
  return {
    name: `${bundler}, plugin`,
    tools: 'typescript-5',
    files: { 'tsconfig.json': tsconfig(), 'plain.mjs': config(false), 'minified.mjs': config(true) },
    cells: [cell('production', 'plain.mjs'), cell('minified', 'minified.mjs')],
  };
}
