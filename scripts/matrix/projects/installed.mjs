import { works } from '../outcome.mjs';
import { tsconfig } from '../tsconfig.mjs';

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
const COMPILER = /^LOADED \S*\/(?:@adorn\/compiler|typescript|typescript-json-schema)\/.*$/m;

/** Where the packages lie: in an image without the compiler, below one another, behind links. */
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
];

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
