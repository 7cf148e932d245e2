// Big modules that are loaded once for all spec files and all mutants. A sandbox of Jest would load them anew for each
// file, which takes seconds, and Node does not always give back what such a sandbox has loaded.
const FILES = { 'fast-check': './kept-fast-check.cjs', 'typescript-json-schema': './kept-typescript.cjs' };

exports.kept = (name) => require(FILES[name]);
