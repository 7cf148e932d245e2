import { join } from 'node:path';

import { estimateTokens } from '@adorn/core/compiler';
import {
  type ListedSkill,
  listSkills,
  LOCK_FILE,
  readSkill,
  type Skill,
  writeSkillLock,
} from '@adorn/skills';
import { Command } from 'commander';

import { type Output, type Palette, paletteFor } from '../terminal/palette.js';
import { printable } from '../terminal/printable.js';

/** `adorn skills`: lists the skills of a folder, and accepts them as they are. */
export function skillsCommand(output: Output = process.stdout): Command {
  return new Command('skills')
    .description('list the skills of a folder, and which have changed since they were accepted')
    .argument('[folder]', 'a folder of skills', 'skills')
    .option('--pin', `accept the skills as they are: write their digests into ${LOCK_FILE}`)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nThe exit code is 1 if a skill is not as it was accepted.\n')
    .action(async (folder: string, { pin, json }: SkillsFlags) => {
      const found = await Promise.all(listSkills([folder]).map(stateOf));
      if (pin === true) {
        await writeSkillLock(
          folder,
          found.map(({ skill }) => skill),
        );
        output.write(`accepted ${String(found.length)} skills in ${join(folder, LOCK_FILE)}\n`);
        return;
      }
      output.write(
        json === true
          ? `${JSON.stringify(found.map(toJson), undefined, 2)}\n`
          : textOf(found, paletteFor(output)),
      );
      if (found.some(({ state }) => state === 'changed' || state === 'added')) process.exitCode = 1;
    });
}

interface SkillsFlags {
  readonly pin?: boolean;
  readonly json?: boolean;
}

/** A skill, and how it stands to what was accepted: `open` without a lock file. */
interface FoundSkill {
  readonly skill: Skill;
  readonly state: 'accepted' | 'changed' | 'added' | 'open';
}

async function stateOf({ folder, pin }: ListedSkill): Promise<FoundSkill> {
  const skill = await readSkill(folder);
  if (pin === undefined) return { skill, state: 'open' };
  if (pin === null) return { skill, state: 'added' };
  return { skill, state: pin === skill.digest ? 'accepted' : 'changed' };
}

function toJson({ skill: { frontMatter, body, files, digest }, state }: FoundSkill) {
  return { ...frontMatter, state, digest, tokens: estimateTokens(body), files: [...files.keys()] };
}

function textOf(found: readonly FoundSkill[], paint: Palette): string {
  const lines = found.flatMap(({ skill: { frontMatter, body, files }, state }) => [
    `${paint('title', frontMatter.name)}  ${paint(state === 'changed' || state === 'added' ? 'failure' : 'note', state)}`,
    `  ${printable(frontMatter.description.replaceAll(/\s+/g, ' '))}`,
    paint(
      'note',
      `  about ${String(estimateTokens(body))} tokens when it is opened, ${String(files.size)} files`,
    ),
  ]);
  const listed = found.reduce(
    (sum, { skill: { frontMatter } }) => sum + estimateTokens(frontMatter.name + frontMatter.description),
    0,
  );
  const open = found.some(({ state }) => state === 'open')
    ? [`Nobody is asked when one of them changes: adorn skills <folder> --pin accepts them as they are.`]
    : [];
  return [
    ...lines,
    `${String(found.length)} skills: about ${String(listed)} tokens in each request`,
    ...open,
    '',
  ].join('\n');
}
