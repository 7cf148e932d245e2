import { SkillInvalidError, SkillOptionError } from './errors.js';
import { readSkill, type Skill } from './skill.js';
import { nameTaken, type SkillPlace, skillPlaces } from './skill-folders.js';

/** A skill with all of its files, and how it stands to what was accepted. */
export interface InspectedSkill {
  readonly skill: Skill;
  readonly folder: string;
  /** `open` without a lock file: nobody is asked. */
  readonly state: 'accepted' | 'changed' | 'added' | 'open';
}

/** Why a skill, or a folder of skills, cannot be used. */
export type SkillFault = SkillInvalidError | SkillOptionError;

/** The skills of folders that can be used, and why others cannot. */
export interface SkillInspection {
  /** In the order of their names. */
  readonly skills: readonly InspectedSkill[];
  /** What `skills(…)` refuses, or a model that opens the skill is told. */
  readonly faults: readonly SkillFault[];
}

/** Reads all skills of folders with their files, one after another. What cannot be used is a fault, and hides no other. */
export async function inspectSkills(folders: readonly string[]): Promise<SkillInspection> {
  const faults: SkillFault[] = [];
  const skills: InspectedSkill[] = [];
  for (const folder of folders)
    await noting(faults, async () => {
      for (const place of skillPlaces(folder))
        await noting(faults, async () => void skills.push(await inspect(place)));
    });
  skills.sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  for (const [index, one] of skills.entries()) {
    const next = skills[index + 1];
    if (next && nameOf(one) === nameOf(next)) faults.push(nameTaken(nameOf(one), [one.folder, next.folder]));
  }
  return { skills, faults };
}

/** Notes why something was refused. */
async function noting(faults: SkillFault[], read: () => Promise<void>): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!(error instanceof SkillInvalidError) && !(error instanceof SkillOptionError)) throw error;
    faults.push(error);
  }
}

async function inspect({ folder, pin }: SkillPlace): Promise<InspectedSkill> {
  const skill = await readSkill(folder);
  return { skill, folder, state: stateOf(skill, pin) };
}

function stateOf({ digest }: Skill, pin: SkillPlace['pin']): InspectedSkill['state'] {
  if (pin === undefined) return 'open';
  if (pin === null) return 'added';
  return pin === digest ? 'accepted' : 'changed';
}

function nameOf({ skill }: InspectedSkill): string {
  return skill.frontMatter.name;
}
