import { join } from 'node:path';

import { estimateTokens } from '@adorn/core/compiler';
import {
  type InspectedSkill,
  inspectSkills,
  LOCK_FILE,
  type SkillInspection,
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
    .addHelpText('after', '\nThe exit code is 1 if a skill cannot be used, or is not as it was accepted.\n')
    .action(async (folder: string, { pin, json }: SkillsFlags) => {
      const { skills: found, faults } = await inspectSkills([folder]);
      if (pin === true) {
        const [fault] = faults;
        if (fault) throw fault;
        await writeSkillLock(
          folder,
          found.map(({ skill }) => skill),
        );
        output.write(`accepted ${String(found.length)} skills in ${join(folder, LOCK_FILE)}\n`);
        return;
      }
      output.write(
        json === true
          ? `${JSON.stringify([...found.map(toJson), ...faults.map(refusedToJson)], undefined, 2)}\n`
          : textOf({ skills: found, faults }, paletteFor(output)),
      );
      if (faults.length > 0 || found.some(({ state }) => state === 'changed' || state === 'added'))
        process.exitCode = 1;
    });
}

interface SkillsFlags {
  readonly pin?: boolean;
  readonly json?: boolean;
}

function toJson({ skill: { frontMatter, body, files, digest }, state }: InspectedSkill) {
  return { ...frontMatter, state, digest, tokens: estimateTokens(body), files: [...files.keys()] };
}

function refusedToJson({ message }: Error) {
  return { state: 'refused', fault: message };
}

function textOf({ skills: found, faults }: SkillInspection, paint: Palette): string {
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
    ...faults.map(({ message }) => paint('failure', printable(message))),
    `${String(found.length)} skills: about ${String(listed)} tokens in each request`,
    ...open,
    '',
  ].join('\n');
}
