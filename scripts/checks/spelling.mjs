// The spelling of all Markdown, and of the doc comments of the published packages, in British English, without what is code in them. Terms that no
// dictionary of cspell has are in spelling/words.txt: sorted, and each is used.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

import { lint } from 'cspell';

import { listWorkspaces, ROOT } from '../setup/workspace.mjs';

const FOLDER = 'scripts/checks/spelling';
const WORDS = `${FOLDER}/words.txt`;
const CACHE = 'node_modules/.cache/cspell';

process.chdir(ROOT);
const files = [...filesOfGit('*.md').filter((path) => !path.endsWith('.api.md')), ...sources()];
const faults = [...(await misspelt()), ...faultsOfList()];
for (const fault of faults) console.error(fault);
console.log(
  `${String(files.length)} files${faults.length > 0 ? `, ${String(faults.length)} faults` : ' without a misspelt word'}`,
);
process.exitCode = faults.length > 0 ? 1 : 0;

function filesOfGit(...patterns) {
  const listed = ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns];
  const { stdout } = spawnSync('git', listed, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  return stdout.split('\n').filter((path) => path !== '' && existsSync(path));
}

function sources() {
  const folders = listWorkspaces().filter(({ published }) => published);
  return filesOfGit(...folders.map(({ folder }) => `${folder}/src/*.ts`)).filter(
    (path) => !/\.(spec|fixture)\.ts$/.test(path),
  );
}

async function misspelt() {
  const found = [];
  const options = {
    config: `${FOLDER}/cspell.json`,
    cache: true,
    cacheLocation: CACHE,
    showSuggestions: true,
  };
  const { errors } = await lint(
    files.map((path) => `file://${ROOT}${path}`),
    { ...options, dot: true, cacheStrategy: 'content' },
    {
      issue: ({ text, uri, row, suggestions = [] }) =>
        found.push(`${uri.replace(`file://${ROOT}`, '')}:${String(row)}: ${text}${proposal(suggestions)}`),
      error: (message, error) => found.push(`${message} ${error.message}`),
    },
  );
  if (errors > 0 && found.length === 0) found.push(`cspell failed at ${String(errors)} files.`);
  return found;
}

function proposal(suggestions) {
  return suggestions.length > 0 ? `, perhaps ${suggestions.slice(0, 3).join(', ')}` : '';
}

/** The list is sorted without regard to case, and has no word that is used nowhere. */
function faultsOfList() {
  const words = readFileSync(WORDS, 'utf8').trim().split('\n');
  const sorted = words.toSorted((a, b) => a.localeCompare(b, 'en'));
  const at = words.findIndex((word, index) => word !== sorted[index]);
  const text = files.map((path) => readFileSync(path, 'utf8')).join('\n');
  const unused = words.filter((word) => !text.includes(word));
  return [
    ...(at === -1 ? [] : [`${WORDS}:${String(at + 1)}: ${words[at]} is not in its place: sort the list.`]),
    ...unused.map((word) => `${WORDS}: ${word} is used nowhere: take it out.`),
  ];
}
