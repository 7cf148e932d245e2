import { refuses, works } from '../outcome.mjs';
import { tsconfig } from '../tsconfig.mjs';
import { PRODUCTION } from './tsc.mjs';

const NO_SOURCE = refuses(
  'SCHEMA_MISSING',
  /no source, or more than one, that declares it was found for \S+main\.\w+\. Set "sourceMap"/,
);
const NOT_BUILT = refuses('SCHEMA_MISSING', /"adorn build" has not written it/);

const ESBUILD = ['esbuild', 'src/main.ts', '--bundle', '--platform=node', '--log-level=warning'];
const ESM = [...ESBUILD, '--format=esm', '--packages=external', '--outfile=out/main.mjs'];
const VITE = { build: { ssr: 'src/main.ts', outDir: 'out', sourcemap: true, target: 'node20' } };

/** What stays outside of the bundles: our packages and those with install steps of their own. */
export const OUTSIDE = ['adorn', '@adorn/testing', 'class-validator'];

/** Bundles without the plugin: derived on demand through their source maps, or refused. */
export const BUNDLERS = [
  {
    name: 'esbuild',
    tools: 'typescript-5',
    files: { 'tsconfig.json': tsconfig() },
    cells: [
      onDemand('source map', [...ESM, '--sourcemap']),
      { name: 'production', run: ['node', 'out/main.mjs'], env: PRODUCTION, expects: NOT_BUILT },
      refused(
        'no source map',
        ESM.map((word) => word.replace('out/', 'plain/')),
        'plain/main.mjs',
      ),
      refused('minified', [...ESM, '--minify', '--sourcemap']),
      onDemand('minified, names kept', [...ESM, '--minify', '--keep-names', '--sourcemap']),
      onDemand(
        'everything in one CommonJS file',
        [...ESBUILD, '--sourcemap', '--outfile=whole/main.cjs'],
        'whole/main.cjs',
      ),
      onDemand(
        'everything in several ES modules',
        [
          ...ESBUILD,
          '--format=esm',
          '--splitting',
          '--sourcemap',
          '--outdir=split',
          '--out-extension:.js=.mjs',
        ],
        'split/main.mjs',
      ),
    ],
  },
  {
    name: 'vite build',
    tools: 'typescript-5',
    files: { 'tsconfig.json': tsconfig(), 'vite.config.mjs': `export default ${JSON.stringify(VITE)};` },
    cells: [
      onDemand('source map', ['vite', 'build'], 'out/main.js'),
      { name: 'production', run: ['node', 'out/main.js'], env: PRODUCTION, expects: NOT_BUILT },
    ],
  },
  {
    name: 'rolldown',
    tools: 'typescript-5',
    files: { 'tsconfig.json': tsconfig() },
    cells: [
      onDemand(
        'source map',
        [
          'rolldown',
          'src/main.ts',
          '-d',
          'out',
          '--platform',
          'node',
          '--sourcemap',
          ...OUTSIDE.flatMap(external),
        ],
        'out/main.js',
      ),
      { name: 'production', run: ['node', 'out/main.js'], env: PRODUCTION, expects: NOT_BUILT },
    ],
  },
  {
    name: 'webpack',
    tools: 'typescript-5',
    files: { 'tsconfig.json': tsconfig(), 'webpack.config.mjs': webpackConfig() },
    cells: [
      onDemand('source map', ['webpack'], 'out/main.mjs'),
      { name: 'production', run: ['node', 'out/main.mjs'], env: PRODUCTION, expects: NOT_BUILT },
    ],
  },
];

function onDemand(name, bundle, main = 'out/main.mjs') {
  return { name: `${name}, on demand`, before: [bundle], run: ['node', main], expects: works() };
}

function refused(name, bundle, main = 'out/main.mjs') {
  return { name, before: [bundle], run: ['node', main], expects: NO_SOURCE };
}

function external(name) {
  return ['--external', name];
}

/** @param more settings beside, or instead of, those that every project with webpack has */
export function webpackConfig(more = {}) {
  const settings = {
    mode: 'production',
    optimization: { minimize: false },
    devtool: 'source-map',
    target: 'node20',
    entry: './src/main.ts',
    externals: OUTSIDE,
    externalsType: 'module',
    experiments: { outputModule: true },
    output: { filename: 'main.mjs', module: true, library: { type: 'module' } },
    resolve: { extensions: ['.ts', '.js'], extensionAlias: { '.js': ['.ts', '.js'] } },
    module: { rules: [{ test: 'TS', loader: 'ts-loader', options: { transpileOnly: true } }] },
    ...more,
  };
  const text = JSON.stringify(settings).replace('"TS"', String.raw`/\.ts$/`);
  return `const settings = ${text};
settings.output.path = new URL('out', import.meta.url).pathname;
export default settings;
`;
}
