import type { Content, Part } from './genai-types.js';

/** A character that is neither whitespace nor an invisible control or format character. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}]/u;

/** True for a text without a visible character. */
export function isBlank(text: string): boolean {
  return !VISIBLE.test(text);
}

/**
 * True if a content says something: a text, a file, a call, a response, code or its result. Thoughts, blank texts, and
 * parts that hold only metadata, such as a thought signature, say nothing.
 */
export function hasContent(content: Content | undefined): boolean {
  return content?.parts?.some(isSaid) ?? false;
}

function isSaid(part: Part): boolean {
  const { text, thought, inlineData, fileData, executableCode } = part;
  if (thought === true) return false;
  if (part.functionCall ?? part.functionResponse ?? part.toolCall ?? part.toolResponse) return true;
  if (part.codeExecutionResult) return true;
  const texts = [text, executableCode?.code, part.audioTranscription?.text];
  if (texts.some((one) => one !== undefined && !isBlank(one))) return true;
  return [inlineData?.data, fileData?.fileUri].some((one) => one !== undefined && one !== '');
}
