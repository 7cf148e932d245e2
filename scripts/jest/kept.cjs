// Large modules that are loaded once per worker, outside Jest's sandboxes. A sandbox would load them again for each
// spec file, which takes seconds and leaks memory. `lent/` holds the stubs that specs import instead.
const CHANGED = {
  'typescript-json-schema': './kept-typescript.cjs',
  'postgres-server': './kept-postgres.cjs',
};

exports.kept = (name) => require(CHANGED[name] ?? name);
