import { FunctionTool, type Tool, ToolError } from '@adorn/core';

import { readSkill, type Skill } from './skill.js';
import type { ListedSkill } from './skill-folders.js';
import { MOST_NAMES, type SkillShelf } from './skill-shelf.js';

/** The longest skill that a model reads, in bytes; the format recommends 5,000 tokens, and published ones have up to 10,000. */
const LONGEST_BODY = 256 * 1024;

/**
 * The tool with which a model opens a skill. Its description lists all skills, always the same in the same order, so that a
 * provider's cache of the request stays valid whatever is opened.
 */
export function loadSkillTool(shelf: SkillShelf): Tool {
  return new FunctionTool({
    name: 'load_skill',
    description: descriptionOf(shelf.listed),
    effect: 'read',
    maxResultBytes: LONGEST_BODY,
    parameters: {
      type: 'object',
      properties: { skill: { type: 'string', description: 'The name of the skill.' } },
      required: ['skill'],
      additionalProperties: false,
    },
    confirm: async ({ skill }) => {
      const listed = shelf.find(String(skill));
      return questionOf(listed, await readSkill(listed.folder)) ?? false;
    },
    // A yes holds for the skill as it was shown.
    remember: async ({ skill }) => (await readSkill(shelf.find(String(skill)).folder)).digest,
    run: async ({ skill: name }, context) => {
      const listed = shelf.find(String(name));
      const skill = await readSkill(listed.folder);
      const question = questionOf(listed, skill);
      // What was shown names the digest: a skill that has changed since is another question.
      if (question !== undefined && context.confirmation?.hint !== question)
        throw new ToolError(
          `The skill "${skill.frontMatter.name}" has changed since. Call load_skill again.`,
        );
      shelf.open(skill, context);
      const { frontMatter, body, files } = skill;
      const paths = [...files.keys()];
      const more = paths.length - MOST_NAMES;
      return {
        skill: frontMatter.name,
        instructions: body,
        files: paths.length > 0 ? paths.slice(0, MOST_NAMES) : undefined,
        moreFiles: more > 0 ? more : undefined,
        compatibility: frontMatter.compatibility,
        allowedTools: frontMatter.allowedTools,
      };
    },
  });
}

/** What a person is asked before a skill is read that is not the accepted one; undefined if it is, or none was accepted. */
function questionOf({ pin }: ListedSkill, { frontMatter: { name }, digest }: Skill): string | undefined {
  if (pin === undefined || digest === pin) return undefined;
  const asked =
    pin === null
      ? `The skill "${name}" was added, and nobody has accepted it yet. May the agent follow it?`
      : `The skill "${name}" has changed since it was accepted. May the agent follow it as it is now?`;
  return `${asked} (${digest})`;
}

function descriptionOf(listed: readonly ListedSkill[]): string {
  const lines = listed.map(({ frontMatter: { name, description } }) => `- ${name}: ${oneLine(description)}`);
  return (
    'Read the instructions of a skill before you do what it is for. Its files are read by load_skill_resource. ' +
    `The skills:\n${lines.join('\n')}`
  );
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
