import { hash } from 'node:crypto';

import { canonicalJson } from '../json/canonical-json.js';
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
