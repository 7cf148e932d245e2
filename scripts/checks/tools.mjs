// `adorn check --strict` over every project of ours that has tools.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

import { projectAlone, projectsWithTools } from '../bundle/schemas.mjs';
import { CACHE, ROOT } from '../setup/workspace.mjs';

process.chdir(ROOT);
const solution = `${CACHE}/tools.tsconfig.json`;
const references = projectsWithTools().map((folder) => ({ path: projectAlone(folder) }));
writeFileSync(solution, JSON.stringify({ files: [], references }));
const { status } = spawnSync(
  process.execPath,
  ['packages/cli/bin/adorn.js', 'check', '-p', solution, '--dialect', 'gemini', 'openai', '--strict'],
  { stdio: 'inherit' },
);
process.exitCode = status ?? 1;
