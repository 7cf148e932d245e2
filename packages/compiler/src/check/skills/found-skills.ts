import type { SkillsCall } from '../../source/skill-folders.js';

/** A skill as rules look at it. */
export interface FoundSkill {
  readonly folder: string;
  /** How it stands to what was accepted; `open` if there is no lock file. */
  readonly state: 'accepted' | 'changed' | 'added' | 'open';
  readonly skill: {
    readonly frontMatter: { readonly name: string; readonly description: string };
    /** What a model reads when it opens the skill. */
    readonly body: string;
    /** The other files, by their paths within the folder. */
    readonly files: ReadonlyMap<string, unknown>;
  };
}

/** Reads the skills of folders: `inspectSkills` of `@adorn/skills`. */
export type SkillReader = (folders: readonly string[]) => Promise<{
  readonly skills: readonly FoundSkill[];
  /** Why others cannot be used. */
  readonly faults: readonly Error[];
}>;

/** A call of `skills(…)` with what is in its folders. */
export interface FoundSkills extends SkillsCall {
  readonly skills: readonly FoundSkill[];
  readonly faults: readonly Error[];
}

/** Reads what is in the folders of calls. */
export async function readSkills(calls: readonly SkillsCall[], read: SkillReader): Promise<FoundSkills[]> {
  const found: FoundSkills[] = [];
  for (const call of calls) {
    const folders = call.folders.flatMap(({ path }) => path ?? []);
    found.push({ ...call, ...(await read(folders)) });
  }
  return found;
}
