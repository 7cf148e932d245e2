import { hash } from 'node:crypto';

import { frozenJson } from '../json/copy-json.js';
import type { Tool } from '../tools/tool.js';
import type { ShownCall, ToolCall } from './tool-call.js';

/** The call as a person is shown it: nothing that is done later to the arguments changes it. */
export function shownOf({ entry, args }: ToolCall): ShownCall {
  return { args: frozenJson(args), definition: definitionDigest(entry.tool) };
}

/**
 * Digest of what a person approves besides the arguments: the tool's name, description, declaration, effect and
 * fixed question. An approval is void once it changes.
 */
export function definitionDigest(tool: Tool): string {
  return `sha256:${hash('sha256', canonicalJson(tool.definition), 'base64url')}`;
}

/** JSON text in which the order of keys is fixed. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) =>
    typeof field === 'object' && field !== null && !Array.isArray(field) ? sorted(field) : field,
  );
}

function sorted(fields: object): Record<string, unknown> {
  const copy = Object.create(null) as Record<string, unknown>;
  for (const name of Object.keys(fields).sort()) copy[name] = (fields as Record<string, unknown>)[name];
  return copy;
}
