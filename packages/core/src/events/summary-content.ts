import type { Content, Part } from '../content/genai-types.js';

/** What a summary begins with, so that no model takes it for the user's words. */
export const SUMMARY_HEADING = '[Summary of earlier conversation]';

/**
 * A summary as a model may see it: something a user tells, under its heading. Calls and responses, which no longer
 * have each other, are left out. Undefined where it says nothing.
 */
export function summaryContent({ parts = [] }: Content): Content | undefined {
  const told = parts.filter(isTold);
  if (told.length === 0) return undefined;
  const isHeaded = told[0]?.text?.startsWith(SUMMARY_HEADING) === true;
  return { role: 'user', parts: isHeaded ? told : [{ text: SUMMARY_HEADING }, ...told] };
}

function isTold({ text, thought, functionCall, functionResponse }: Part): boolean {
  if (thought === true || functionCall || functionResponse) return false;
  return text?.trim() !== '';
}
