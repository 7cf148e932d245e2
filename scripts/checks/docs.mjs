// What the documentation says is held against the code: error codes, commands and tables of options both ways, snippets against the compiled files they
// name, links and npm scripts against what is there, the word index and files on how-pages against the sources, `llms.txt`
// and the skill for coding agents against the pages, the tables for people of other kits against the names of those kits and of the packages.
// `--update` writes `llms.txt`, the tables of error codes and the reference of the command line, for which the packages must be built.
import { listPages, ROOT } from '../setup/workspace.mjs';
import { checkComingFrom } from './coming-from.mjs';
import { compareCommandLine, updateCommandLine } from './command-line.mjs';
import { compareCodes, updateCodes } from './error-codes.mjs';
import { checkLinks } from './links.mjs';
import { checkLlms, updateLlms } from './llms.mjs';
import { compareOptions } from './option-tables.mjs';
import { checkSkillPages } from './skill-pages.mjs';
import { checkSnippets } from './snippets.mjs';
import { checkWords } from './words.mjs';

process.chdir(ROOT);
const pages = listPages();
if (process.argv.includes('--update')) {
  updateLlms();
  updateCodes();
  await updateCommandLine();
}

const results = [
  compareCodes(),
  compareOptions(pages),
  await compareCommandLine(),
  checkSnippets(pages),
  checkLinks(pages),
  checkLlms(),
  checkSkillPages(),
  checkWords(pages),
  checkComingFrom(),
];
const faults = results.flatMap((result) => result.faults);
for (const fault of faults) console.error(fault);
const counted = results.map(({ count, what }) => `${String(count)} ${what}`).join(', ');
console.log(
  `${String(pages.length)} pages: ${counted}${faults.length > 0 ? `, ${String(faults.length)} faults` : ''}`,
);
process.exitCode = faults.length > 0 ? 1 : 0;
