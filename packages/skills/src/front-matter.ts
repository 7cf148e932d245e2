import { describeThrown, isObject, kindOf } from '@adorn/core/backend';
import { parse } from 'yaml';

import { SkillInvalidError } from './errors.js';

/** What a skill says of itself before anybody opens it (https://agentskills.io/specification). */
export interface FrontMatter {
  /** At most 64 small letters, digits and single hyphens: the name of the folder. */
  readonly name: string;
  /** What it does and when to use it. The format has at most 1,024 characters; up to 4,096 are taken, as published skills have more. */
  readonly description: string;
  /** The name of a licence, or the file with it. */
  readonly license?: string | undefined;
  /** What it needs around it, in at most 500 characters. */
  readonly compatibility?: string | undefined;
  /** Further facts of whoever wrote it. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Names of tools that it counts on. They give nobody a right: the gates of the tools hold as always. */
  readonly allowedTools?: readonly string[] | undefined;
}

/** A `SKILL.md` in its two parts. */
export interface SkillText {
  readonly frontMatter: FrontMatter;
  /** The Markdown behind the front matter: what the model reads when it opens the skill. */
  readonly body: string;
}

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const LONGEST_NAME = 64;
const LONGEST_DESCRIPTION = 4_096;
const LONGEST_COMPATIBILITY = 500;

/** The front matter between two lines of `---`, and the rest. */
const PARTS = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n([\s\S]*))?$/;

/**
 * Reads the text of a `SKILL.md`.
 *
 * @param folder the folder of the skill, whose last part is its name
 * @throws {SkillInvalidError}
 */
export function readSkillText(text: string, folder: string): SkillText {
  const [, header, body = ''] = PARTS.exec(text) ?? [];
  if (header === undefined)
    throw new SkillInvalidError(
      folder,
      'its SKILL.md does not begin with front matter',
      'Begin it with a line "---", the fields name and description, and a line "---".',
    );
  const fields = fieldsOf(header, folder);
  const refuse = (fault: string, cure: string): never => {
    throw new SkillInvalidError(folder, fault, cure);
  };
  return { frontMatter: checked(fields, folder, refuse), body: body.trim() };
}

/** Aliases are not resolved without end, and tags make no objects: it is the text of a stranger. */
function fieldsOf(header: string, folder: string): Readonly<Record<string, unknown>> {
  const cure = 'Correct the YAML between the lines "---".';
  try {
    const fields: unknown = parse(header, { schema: 'core', maxAliasCount: 10, logLevel: 'error' });
    if (isObject(fields)) return fields;
    throw new Error(`it is ${kindOf(fields)} and no list of fields`);
  } catch (error) {
    const { message } = describeThrown(error);
    throw new SkillInvalidError(folder, `its front matter is no YAML with fields (${message})`, cure, {
      cause: error,
    });
  }
}

type Refuse = (fault: string, cure: string) => never;

function checked(fields: Readonly<Record<string, unknown>>, folder: string, refuse: Refuse): FrontMatter {
  const { name, description, license, compatibility, metadata } = fields;
  if (typeof name !== 'string' || name.length > LONGEST_NAME || !NAME.test(name))
    return refuse(
      `its name is ${typeof name === 'string' ? JSON.stringify(name.slice(0, 80)) : kindOf(name)}`,
      `Write at most ${String(LONGEST_NAME)} small letters, digits and single hyphens, such as "fill-forms".`,
    );
  const isText = typeof description === 'string' && description.trim() !== '';
  if (!isText || description.length > LONGEST_DESCRIPTION)
    return refuse(
      isText ? `its description has ${String(description.length)} characters` : 'it has no description',
      `Say what it does and when to use it, in at most ${String(LONGEST_DESCRIPTION)} characters: a model decides by it.`,
    );
  if (folder.split(/[/\\]/).findLast((part) => part !== '') !== name)
    return refuse(`its name is "${name}"`, 'Give the folder the same name.');
  return {
    name,
    description: description.trim(),
    license: typeof license === 'string' ? license : undefined,
    compatibility: compatibilityOf(compatibility, refuse),
    metadata: isObject(metadata) ? metadata : undefined,
    allowedTools: allowedToolsOf(fields['allowed-tools']),
  };
}

function compatibilityOf(stated: unknown, refuse: Refuse): string | undefined {
  if (stated === undefined) return undefined;
  if (typeof stated === 'string' && stated.length <= LONGEST_COMPATIBILITY) return stated;
  return refuse(
    'its compatibility is too long, or no text',
    `Say what it needs in at most ${String(LONGEST_COMPATIBILITY)} characters, or leave it out.`,
  );
}

/** The format separates them by spaces; lists are common too. */
function allowedToolsOf(stated: unknown): FrontMatter['allowedTools'] {
  const names = typeof stated === 'string' ? stated.split(/[\s,]+/) : stated;
  if (!Array.isArray(names)) return undefined;
  const allowedTools = names.filter((name): name is string => typeof name === 'string' && name !== '');
  return allowedTools.length > 0 ? allowedTools : undefined;
}
