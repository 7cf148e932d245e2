import { parseArgs } from 'node:util';

import { TARGETS } from './targets.mjs';

const HELP = `Changes the sources in small ways, one at a time, and looks whether a spec fails.

  npm run mutation -- [TARGET] [--only GLOB] [--every N] [--part K]

  TARGET       ${Object.keys(TARGETS).join(', ')}; default: all of them
  --only GLOB  only files below the target's folders that match, such as 'coercion/*.ts'
  --every N    tries one mutant in N, always the same ones
  --part K     which of the N samples that --every makes, from 0; default: 0
  --help       this text

Each target runs against the specs beside it. Default of --every: ${sampleSizes()}; 1 with --only.
A mutant is killed when a spec fails, or breaks off before its first test.
Stryker is installed into .work/stryker at the first use; its report is kept there as JSON.`;

/** Ends the process where there is nothing to try. */
export function parseOptions(args) {
  const { help, only, every, part, names } = valuesOf(args);
  if (help) leave(0, HELP);
  const unknown = names.find((name) => !(name in TARGETS));
  if (unknown !== undefined) leave(2, `There is no target ${unknown}.\n\n${HELP}`);
  if (every !== undefined && !(Number(every) >= 1)) leave(2, `--every wants a number, not ${every}.`);
  if (part !== undefined && !(Number(part) >= 0 && Number(part) < Number(every ?? 1))) {
    leave(2, `--part wants a number from 0 to one below --every, not ${part}.`);
  }
  return (names.length === 0 ? Object.keys(TARGETS) : names).map((name) => ({
    name: only === undefined ? name : `${name}-${only.replace(/\W+/g, '-')}`,
    specs: TARGETS[name].specs,
    every: Number(every ?? (only === undefined ? TARGETS[name].every : 1)),
    part: Number(part ?? 0),
    mutate: [...sourcesOf(TARGETS[name], only), '!**/*.{spec,fixture}.ts'],
  }));
}

/** Globs of the sources. */
function sourcesOf({ folders = [], files = [] }, only = '**/*.ts') {
  return [...folders.map((folder) => `${folder}/${only}`), ...files];
}

function valuesOf(args) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        only: { type: 'string' },
        every: { type: 'string' },
        part: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    return { ...values, names: positionals };
  } catch (error) {
    return leave(2, `${error.message}\n\n${HELP}`);
  }
}

/** `core 1, extractor 6`. */
function sampleSizes() {
  return Object.entries(TARGETS)
    .map(([name, { every }]) => `${name} ${String(every)}`)
    .join(', ');
}

function leave(code, text) {
  console[code === 0 ? 'log' : 'error'](text);
  process.exit(code);
}
