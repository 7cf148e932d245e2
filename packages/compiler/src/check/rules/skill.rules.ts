import { dirname, posix } from 'node:path';

import { estimateTokens } from '@adorn/core/compiler';

import type { FoundSkill, FoundSkills } from '../skills/found-skills.js';
import type { Finding, Rule } from './rule.js';

/** A finding about one of the skills of a call. */
type SkillFinding = Pick<Finding, 'message' | 'cure'>;

function ofEachSkill(
  find: (skill: FoundSkill, call: FoundSkills) => readonly SkillFinding[],
): Rule['ofSkills'] {
  return (call) =>
    call.skills.flatMap((skill) => find(skill, call).map((finding) => ({ node: call.node, ...finding })));
}

export const skillRefused: Rule = {
  name: 'skill-refused',
  severity: 'error',
  about:
    'a folder of `skills(…)` that is no skill, has a wrong front matter, is too large, leads outside or repeats a name',
  ofSkills: ({ node, faults }) => faults.map(({ message }) => ({ node, message, cure: '' })),
};

export const skillFolderMissing: Rule = {
  name: 'skill-folder-missing',
  severity: 'warning',
  about: 'a folder of `skills(…)` that is neither below the working folder nor below the project',
  ofSkills: ({ node, folders }) =>
    folders
      .filter(({ path }) => path === undefined)
      .map(({ written }) => ({
        node,
        message: `There is no folder ${JSON.stringify(written)}.`,
        cure: "Correct the path, or give one that starts at this file: new URL('../skills', import.meta.url).",
      })),
};

export const skillChanged: Rule = {
  name: 'skill-changed',
  severity: 'warning',
  about:
    'a skill that was changed or added since its folder was accepted, so that a person is asked before it is opened',
  ofSkills: ofEachSkill(({ skill: { frontMatter }, state, folder }) => {
    if (state !== 'changed' && state !== 'added') return [];
    const verb = state === 'changed' ? 'changed' : 'added';
    const message = `The skill ${frontMatter.name} was ${verb} since its folder was accepted: a person is asked before it is opened.`;
    return [{ message, cure: `Read it, then accept it: adorn skills ${dirname(folder)} --pin` }];
  }),
};

export const skillFileMissing: Rule = {
  name: 'skill-file-missing',
  severity: 'warning',
  about: 'a file that the instructions of a skill name, and that the skill does not have',
  ofSkills: ofEachSkill(({ skill: { frontMatter, body, files } }) => {
    const missing = [...namedFiles(body)].filter(
      (path) => !files.has(path) && path !== 'SKILL.md' && !isFolderOf(path, files),
    );
    if (missing.length === 0) return [];
    return [
      {
        message: `The skill ${frontMatter.name} names what it does not have: ${firstOf(missing)}.`,
        cure: 'Correct the path, or add the file: a model that reads it is told that there is none.',
      },
    ];
  }),
};

/** A link of Markdown to a path. */
const LINK = /\]\(<?(?![a-z][a-z\d+.-]*:|[#/])([^)\s>#?]+)/gi;

/** A path into one of the three folders of the format. */
const PATH =
  /(?<![\w./\\}>-])(?:\.\/)?((?:references|scripts|assets)\/(?:[\w-][\w.-]*\/)*[\w-][\w.-]*\.\w+)/g;

/** An example, in which a link is none. */
const FENCED = /^[ \t]*(```|~~~)[\s\S]*?^[ \t]*\1/gm;

/** The paths that a text names, without those that have a place to fill in: `scripts/<name>.py`. */
function namedFiles(body: string): Set<string> {
  const links = body.replaceAll(FENCED, '').matchAll(LINK);
  const paths = [...links, ...body.matchAll(PATH)].map(([, path = '']) => path);
  return new Set(paths.filter((path) => !/[<>{}*$…]/.test(path)).map((path) => posix.normalize(path)));
}

/** How many names a message has. */
const NAMED = 3;

function firstOf(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).map((name) => JSON.stringify(name.slice(0, 100)));
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${String(more)} more` : shown.join(', ');
}

function isFolderOf(path: string, files: ReadonlyMap<string, unknown>): boolean {
  const folder = path.endsWith('/') ? path : `${path}/`;
  return folder === './' || [...files.keys()].some((file) => file.startsWith(folder));
}

export const skillScript: Rule = {
  name: 'skill-script',
  severity: 'warning',
  about: 'a skill with Python or Bash scripts, of a `skills(…)` without an executor that runs them',
  ofSkills: ofEachSkill(({ skill: { frontMatter, files } }, { runsScripts }) => {
    const scripts = [...files.keys()].filter((path) => /^scripts\/.*\.(py|sh|bash)$/i.test(path));
    if (runsScripts || scripts.length === 0) return [];
    return [
      {
        message: `The skill ${frontMatter.name} has scripts that nothing runs: ${firstOf(scripts)}.`,
        cure: 'Pass an executor, such as bubblewrap() of @adorn/sandbox; models read scripts as text without one.',
      },
    ];
  }),
};

/** What the format recommends. */
const LARGEST_BODY = 5_000;
const LONGEST_DESCRIPTION = 1_024;

export const largeSkill: Rule = {
  name: 'large-skill',
  severity: 'warning',
  about: `a skill with more than some ${String(LARGEST_BODY)} tokens of instructions, or a description of more than ${String(LONGEST_DESCRIPTION)} characters`,
  ofSkills: ofEachSkill(({ skill: { frontMatter, body } }) => {
    const { name, description } = frontMatter;
    const tokens = estimateTokens(body);
    const large: SkillFinding = {
      message: `The instructions of the skill ${name} take some ${String(tokens)} tokens, of which the model reads all.`,
      cure: 'Move what is not always needed into files below references, and name them in the instructions.',
    };
    const long: SkillFinding = {
      message: `The description of the skill ${name} has ${String(description.length)} characters, which every request sends; the format has at most ${String(LONGEST_DESCRIPTION)}.`,
      cure: 'Say what it does and when to use it.',
    };
    return [
      ...(tokens > LARGEST_BODY ? [large] : []),
      ...(description.length > LONGEST_DESCRIPTION ? [long] : []),
    ];
  }),
};
