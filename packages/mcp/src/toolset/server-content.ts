import type { Content, Part } from '@adorn/core';

import { cleanText } from './clean-text.js';
import type { RawResult } from './tool-result.js';

/** A resource of a server, or a template of resources, whose URI has placeholders such as `{id}`. */
export interface McpResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType?: string;
  readonly isTemplate: boolean;
}

/** A prompt of a server. */
export interface McpPrompt {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly required: boolean }[];
}

const LONGEST_DESCRIPTION = 16_384;

/** Reads what a server lists as resources; entries without a URI are left out. */
export function readResources(listed: readonly unknown[], isTemplate: boolean): McpResource[] {
  return listed.filter(isRecord).flatMap((entry) => {
    const uri = entry[isTemplate ? 'uriTemplate' : 'uri'];
    if (typeof uri !== 'string') return [];
    const { mimeType } = entry;
    const described = {
      uri,
      name: textOf(entry['name']) || uri,
      description: textOf(entry['description']),
      isTemplate,
    };
    return [typeof mimeType === 'string' ? { ...described, mimeType } : described];
  });
}

/** Reads what a server lists as prompts; entries without a name are left out. */
export function readPrompts(listed: readonly unknown[]): McpPrompt[] {
  return listed.filter(isRecord).flatMap(({ name, description, arguments: args }) => {
    if (typeof name !== 'string') return [];
    const known = (Array.isArray(args) ? args : []).filter(isRecord);
    const read = known.map((one) => ({ name: textOf(one['name']), required: one['required'] === true }));
    return [{ name, description: textOf(description), arguments: read }];
  });
}

/** The contents of a resource: text, and data inline. */
export function resourceParts({ contents }: RawResult): Part[] {
  return (Array.isArray(contents) ? contents : [])
    .filter(isRecord)
    .flatMap((content) => partOfResource(content) ?? []);
}

/** The messages of a prompt, as contents for a model. Blocks that no model takes are left out. */
export function promptContents({ messages }: RawResult): Content[] {
  return (Array.isArray(messages) ? messages : []).filter(isRecord).map(({ role, content }) => ({
    role: role === 'assistant' ? 'model' : 'user',
    parts: [content]
      .flat()
      .filter(isRecord)
      .flatMap((block) => partOfBlock(block) ?? []),
  }));
}

function partOfBlock({ type, text, data, mimeType, resource }: Record<string, unknown>): Part | undefined {
  if (type === 'text' && typeof text === 'string') return { text };
  if (typeof data === 'string' && typeof mimeType === 'string') return { inlineData: { data, mimeType } };
  return isRecord(resource) ? partOfResource(resource) : undefined;
}

function partOfResource({ text, blob, mimeType }: Record<string, unknown>): Part | undefined {
  if (typeof text === 'string') return { text };
  const type = typeof mimeType === 'string' ? mimeType : 'application/octet-stream';
  return typeof blob === 'string' ? { inlineData: { data: blob, mimeType: type } } : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? cleanText(value, LONGEST_DESCRIPTION) : '';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
