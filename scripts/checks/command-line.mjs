import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ROOT } from '../setup/workspace.mjs';

const PAGE = 'packages/docs/command-line.md';
const BUILT = 'packages/cli/build';
const BEGIN =
  '<!-- What follows is written by `node scripts/checks/docs.mjs --update` from packages/cli/src/commands. -->';

/** The page of the command line has each command as the built `@adorn/cli` declares it. */
export async function compareCommandLine() {
  const what = 'commands';
  if (!existsSync(join(BUILT, 'command/reference.js')))
    return { what, count: 0, faults: [`${BUILT} is not there: \`npm run build\` writes it.`] };
  const text = await reference();
  const isCurrent = readFileSync(PAGE, 'utf8') === `${handWritten()}${BEGIN}\n\n${text}`;
  return {
    what,
    count: [...text.matchAll(/^### /gm)].length,
    faults: isCurrent
      ? []
      : [
          `${PAGE} is not that of the commands: build, then \`node scripts/checks/docs.mjs --update\` writes it.`,
        ],
  };
}

export async function updateCommandLine() {
  writeFileSync(PAGE, `${handWritten()}${BEGIN}\n\n${await reference()}`);
}

/** What stands above the mark. */
function handWritten() {
  return readFileSync(PAGE, 'utf8').split(BEGIN)[0];
}

async function reference() {
  const load = (file) => import(pathToFileURL(join(ROOT, BUILT, file)).href);
  const [{ referenceOf }, { COMMANDS }] = await Promise.all([
    load('command/reference.js'),
    load('program.js'),
  ]);
  return referenceOf(COMMANDS);
}
