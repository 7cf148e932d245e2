import type { Content, Part } from '@google/genai';

import { without } from '../without.js';

/** Vertex AI does not know a response's `willContinue`, and @google/genai throws over it. */
export function toVertexContents(contents: readonly Content[]): readonly Content[] {
  return contents.some(hasContinuing) ? contents.map(withoutContinuing) : contents;
}

function hasContinuing({ parts }: Content): boolean {
  return parts?.some(isContinuing) ?? false;
}

function isContinuing({ functionResponse }: Part): boolean {
  return functionResponse?.willContinue !== undefined;
}

function withoutContinuing(content: Content): Content {
  if (content.parts === undefined || !hasContinuing(content)) return content;
  return { ...content, parts: content.parts.map(withoutMark) };
}

function withoutMark(part: Part): Part {
  if (part.functionResponse === undefined) return part;
  return { ...part, functionResponse: without(part.functionResponse, 'willContinue') };
}
