export const HELP = `What the derivation of schemas costs when a runner is created.

  npm run bench -- --derivation [flags]

  --sizes 1,100      how many tools the projects have (1,100,1000)
  --rounds n         how often each is measured (3)
  --help             this text

built          the schemas are in the emitted code, by "adorn build"
warm           derived before, and kept in the cache
cold           nothing is kept: the compiler runs for all
one touched    one source has changed since: the compiler runs for that one
`;
