// One command for all that is timed: `--derivation` asks for the derivation of schemas, else a turn's overhead is measured.
const suite = process.argv.includes('--derivation') ? './derivation/main.js' : './overhead/main.js';
await import(suite);

export {};
