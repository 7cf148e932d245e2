import { FunctionTool, type Tool } from '@adorn/core';
import { mediaTypeOf } from '@adorn/sandbox/tools';

import { fileOf, type SkillShelf } from './skill-shelf.js';

/** The longest text of a file that a model reads at once, in characters. */
const LONGEST_TEXT = 40_000;

/** The tool with which a model reads what an opened skill names: texts as such, anything else as an artifact. */
export function loadSkillResourceTool(shelf: SkillShelf): Tool {
  return new FunctionTool({
    name: 'load_skill_resource',
    description:
      'Read a file of a skill that was loaded. A text is returned, from the character "offset" on; any other file is saved as an artifact.',
    effect: 'read',
    // A character has at most six bytes in JSON.
    maxResultBytes: 6 * LONGEST_TEXT + 1_024,
    parameters: {
      type: 'object',
      properties: {
        skill: { type: 'string', description: 'The name of the skill.' },
        path: { type: 'string', description: 'The path within the skill, such as references/forms.md.' },
        offset: { type: 'integer', minimum: 0, description: 'Where to begin. Default: 0.' },
      },
      required: ['skill', 'path'],
      additionalProperties: false,
    },
    run: async (args, context) => {
      const { skill, path: given, offset = 0 } = args as unknown as ResourceArguments;
      const { path, data } = fileOf(await shelf.opened(skill, context), given);
      const text = textIn(data);
      if (text !== undefined) return shownText(text, offset);
      const artifact = `skills/${skill}/${path}`;
      const inlineData = { mimeType: mediaTypeOf(path), data: Buffer.from(data).toString('base64') };
      return {
        artifact,
        version: await context.saveArtifact(artifact, { inlineData }),
        bytes: data.byteLength,
      };
    },
  });
}

interface ResourceArguments {
  readonly skill: string;
  readonly path: string;
  readonly offset?: number;
}

/** UTF-8, or undefined for bytes that are none. */
function textIn(data: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(data);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function shownText(text: string, offset: number): object {
  const shown = text.slice(offset, offset + LONGEST_TEXT);
  const next = offset + shown.length;
  return next < text.length ? { text: shown, nextOffset: next, characters: text.length } : { text: shown };
}
