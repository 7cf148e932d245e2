import { readFileSync } from 'node:fs';

import { listFiles, SKILL } from '../setup/workspace.mjs';

/** Every guide of the documentation is named in the skill of coding agents, which look for no page that they do not know of. */
export function checkSkillPages() {
  const skill = readFileSync(SKILL, 'utf8');
  const guides = listFiles('packages/docs').filter((path) =>
    /^packages\/docs\/(?!README)[^/]+\.md$/.test(path),
  );
  const names = guides.map((path) => path.replace('packages/docs/', ''));
  return {
    what: 'guides in the skill',
    count: names.length,
    faults: names
      .filter((name) => !skill.includes(`\`${name}\``))
      .map((name) => `${SKILL} does not name ${name}: add it to the list under "More pages".`),
  };
}
