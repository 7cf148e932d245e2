import { join } from 'node:path';

import { estimateTokens } from '@adorn/core/compiler';
import type { InspectedSkill, SkillInspection } from '@adorn/skills';

import { defineCommand } from '../command/declaration.js';
import { FAILED } from '../command/exit-codes.js';
import { flag, text } from '../command/parameter.js';
import { json } from '../command/shared-parameters.js';
import { type Palette, paletteFor } from '../terminal/palette.js';
import { printJson } from '../terminal/print.js';
import { printable } from 'adorn/main';

const FOLDER = text('[folder]', 'a folder of skills', { fallback: 'skills', completes: 'files' });

/** `adorn skills`: lists the skills of a folder, and accepts them as they are. */
export const skillsCommand = defineCommand({
  name: 'skills',
  summary: 'list the skills of a folder, and which have changed since they were accepted',
  arguments: { folder: FOLDER },
  options: {
    pin: flag('accept the skills as they are: write their digests into the lock file of the folder'),
    json: json(),
  },
  exitCodes: { 1: 'a skill cannot be used, or is not as it was accepted' },
  examples: ['adorn skills ./skills', 'adorn skills ./skills --pin'],
  async run({ folder, pin, json: isJson }, { output }) {
    const { inspectSkills, LOCK_FILE, writeSkillLock } = await import('@adorn/skills');
    const { skills: found, faults } = await inspectSkills([folder]);
    if (pin) {
      const [fault] = faults;
      if (fault) throw fault;
      const skills = found.map(({ skill }) => skill);
      await writeSkillLock(folder, skills);
      const lockFile = join(folder, LOCK_FILE);
      if (isJson) printJson(output, { accepted: skills.length, lockFile });
      else output.write(`accepted ${String(skills.length)} skills in ${lockFile}\n`);
      return;
    }
    if (isJson) printJson(output, [...found.map(toJson), ...faults.map(refusedToJson)]);
    else output.write(textOf({ skills: found, faults }, paletteFor(output)));
    if (faults.length > 0 || found.some(({ state }) => state === 'changed' || state === 'added'))
      process.exitCode = FAILED;
  },
});

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
