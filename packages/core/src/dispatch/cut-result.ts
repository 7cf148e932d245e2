import { exceedsBytes } from '../json/json-size.js';
import type { ToolCall, ToolResponse } from './tool-call.js';

/** The beginning of a result that is too long for a model, and where the whole of it is kept. */
export async function cutResult(
  call: ToolCall,
  response: ToolResponse,
  limit: number,
): Promise<ToolResponse> {
  const text = JSON.stringify(response);
  const kept = await keep(call, text);
  const bytes = String(Buffer.byteLength(text));
  return {
    result: beginningOf(text, limit),
    truncated: true,
    note: `The result has ${bytes} bytes and was cut. ${kept}`,
  };
}

/** A tool that did its work is not told to have failed because its result could not be kept. */
async function keep(call: ToolCall, text: string): Promise<string> {
  const artifact = `tool-results/${call.id}.json`;
  const data = Buffer.from(text).toString('base64');
  try {
    await call.context.saveArtifact(artifact, { inlineData: { mimeType: 'application/json', data } });
    return `The whole is kept as artifact "${artifact}".`;
  } catch (error) {
    call.invocation.services.logger.error('a long result could not be kept', { callId: call.id, error });
    return 'The rest of it is lost.';
  }
}

/** As much of a text as takes no more bytes than that when it is written as JSON once more. */
function beginningOf(text: string, limit: number): string {
  let length = Math.max(0, Math.min(text.length, limit));
  while (length > 0 && exceedsBytes(text.slice(0, length), limit + 2)) length = Math.floor(length * 0.9);
  return text.slice(0, length);
}
