// Big modules that are loaded once for all spec files and all mutants. A sandbox of Jest would load them anew for each
// file, which takes seconds, and would run them before they are compiled well.
const CHANGED = {
  'fast-check': './kept-fast-check.cjs',
  'typescript-json-schema': './kept-typescript.cjs',
};

exports.kept = (name) => require(CHANGED[name] ?? name);
