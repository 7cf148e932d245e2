// A release by one command: `npm run release -- --help`.
import { parseArgs } from 'node:util';

import { changesFor, commitVersion, currentVersion, faultsOf } from './release/next-version.mjs';
import { publish, rehearse } from './release/publish.mjs';
import { ROOT } from './setup/workspace.mjs';

const HELP = `
npm run release -- VERSION              sets the version of all packages, commits it and tags it; nothing is sent
npm run release -- VERSION --dry-run    says what that would change, and changes nothing
npm run release -- --publish            publishes the packages of this checkout, with provenance, each behind those that it
                                        depends on; what npm has already is left out
npm run release -- --publish --dry-run  packs them, and publishes nothing

The changes of VERSION stand in packages/adorn/CHANGELOG.md first. After the first command: git push --follow-tags. The tag
has .github/workflows/release.yml publish.
`;

process.chdir(ROOT);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    publish: { type: 'boolean', default: false },
    'dry-run': { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const [version] = positionals;
if (values.help || positionals.length > 1 || (version === undefined) !== values.publish) {
  console.log(HELP.trim());
  process.exitCode = values.help ? 0 : 2;
} else if (values.publish) {
  if (values['dry-run']) rehearse();
  else publish();
} else release(version, values['dry-run']);

function release(next, isDryRun) {
  const faults = faultsOf(next);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) {
    process.exitCode = 1;
    return;
  }
  const current = currentVersion();
  const changes = changesFor(next);
  for (const { path } of changes) console.log(path);
  if (isDryRun) {
    console.log(
      `${String(changes.length)} files and package-lock.json would say ${next} in place of ${current}. Nothing was changed.`,
    );
    return;
  }
  commitVersion(next, changes);
  console.log(
    `${current} is ${next} now, with a commit and the tag v${next}. Send them: git push --follow-tags`,
  );
}
