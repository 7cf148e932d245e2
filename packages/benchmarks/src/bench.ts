// One command for all that is timed: by its flag a part of it, else a turn's overhead.
import { HELP } from './overhead/help.js';

const SUITES = new Map([
  ['--derivation', './derivation/main.js'],
  ['--stores', './stores/main.js'],
  ['--server', './served/main.js'],
  ['--toolboxes', './toolboxes/main.js'],
  ['--tool-search', './tool-search/main.js'],
  ['--prefix', './prefix/main.js'],
  ['--steering', './steering/main.js'],
  ['--live', './live/main.js'],
  ['--sandbox', './sandboxes/main.js'],
  ['--sizing', './sizing/main.js'],
  ['--eval', './evals/main.js'],
  ['--fleet', './fleet/main.js'],
  ['--simulate', './fleet/main.js'],
]);
/** Suites without flags of their own. */
const PLAIN = new Set([
  '--toolboxes',
  '--tool-search',
  '--prefix',
  '--steering',
  '--live',
  '--sandbox',
  '--sizing',
  '--eval',
]);

const flag = process.argv.find((argument) => SUITES.has(argument));
const asksForHelp = process.argv.some((argument) => ['--help', '-h'].includes(argument));
if (asksForHelp && flag !== undefined && PLAIN.has(flag)) console.log(HELP);
else await import(SUITES.get(flag ?? '') ?? './overhead/main.js');
