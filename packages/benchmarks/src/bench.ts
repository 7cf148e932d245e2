// One command for all that is timed: by its flag a part of it, else a turn's overhead.
const SUITES = new Map([
  ['--derivation', './derivation/main.js'],
  ['--stores', './stores/main.js'],
  ['--server', './served/main.js'],
  ['--toolboxes', './toolboxes/main.js'],
  ['--live', './live/main.js'],
  ['--sandbox', './sandboxes/main.js'],
  ['--fleet', './fleet/main.js'],
  ['--simulate', './fleet/main.js'],
]);
const flag = process.argv.find((argument) => SUITES.has(argument));
await import(SUITES.get(flag ?? '') ?? './overhead/main.js');

export {};
