import { setImmediate as pause } from 'node:timers/promises';

import { type BytesInJson, exceedsBytes } from '@adorn/schema';

import { longResultName } from '../log/long-result.js';
import type { ToolCall, ToolResponse } from './tool-call.js';

/**
 * The beginning of a result that is too long for a model, and the artifact that stores the full result. Other work is done
 * between the steps: the text may have 64 megabytes.
 */
export async function cutResult(
  call: ToolCall,
  response: ToolResponse,
  limit: number,
): Promise<ToolResponse> {
  const text = JSON.stringify(response);
  await pause();
  const bytes = Buffer.from(text);
  const data = await base64Of(bytes);
  const kept = await storeAsArtifact(call, longResultName(call.id), { mimeType: 'application/json', data });
  return {
    result: beginningOf(text, limit),
    truncated: true,
    note: `The result has ${String(bytes.length)} bytes and was cut. ${kept}`,
  };
}

/** How many bytes are written as base64 at once: whole groups of three, in about ten milliseconds. */
const SLICE = 3 * 1024 * 1024;

async function base64Of(bytes: Buffer): Promise<string> {
  const slices: string[] = [];
  for (let at = 0; at < bytes.length; at += SLICE) {
    if (at > 0) await pause();
    slices.push(bytes.toString('base64', at, at + SLICE));
  }
  return slices.join('');
}

/** Stores the full result. If this fails, the call still succeeds: the tool did its work. */
export async function storeAsArtifact(
  call: ToolCall,
  artifact: string,
  inlineData: BytesInJson,
): Promise<string> {
  try {
    await call.context.saveArtifact(artifact, { inlineData });
    return `The full result is stored as artifact "${artifact}".`;
  } catch (error) {
    call.invocation.services.logger.error('a long result could not be stored', { callId: call.id, error });
    return 'The rest is lost.';
  }
}

/** The beginning of a text that takes at most `limit` bytes as a JSON string. */
function beginningOf(text: string, limit: number): string {
  let length = Math.max(0, Math.min(text.length, limit));
  while (length > 0 && exceedsBytes(text.slice(0, length), limit + 2)) length = Math.floor(length * 0.9);
  return text.slice(0, length);
}
