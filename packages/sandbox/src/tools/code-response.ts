import type { ToolContext } from '@adorn/core';
import { type CodeOutcome, exceedsBytes, longResultName } from '@adorn/core/backend';
/** The longest output that a model reads, in characters, by default. */
export const DEFAULT_OUTPUT = 20_000;

/** The largest value that a model reads, in bytes of JSON. */
const MAX_VALUE = 65_536;

/** The most bytes of a character in JSON: those of an escape. */
const CHARACTER = 6;

/** What a model reads of code that has run. */
export interface CodeResponse {
  readonly outcome: CodeOutcome;
  readonly output: string;
  readonly result?: unknown;
  /** Where the value is, if it is too large to be shown. */
  readonly note?: string;
}

/** The `maxResultBytes` of a tool that runs code: no response of it is cut, because output and value have their own limits. */
export function mostResponseBytes(maxOutput: number): number {
  return 2 * MAX_VALUE + maxOutput * CHARACTER;
}

/** The response with a value that a model can read: a larger one is stored as an artifact. */
export async function withReadableValue(response: CodeResponse, context: ToolContext): Promise<CodeResponse> {
  const { result, ...shown } = response;
  if (!exceedsBytes(result, MAX_VALUE)) return response;
  const json = Buffer.from(JSON.stringify(result));
  const name = longResultName(context.functionCallId);
  const stored = await context
    .saveArtifact(name, { inlineData: { mimeType: 'application/json', data: json.toString('base64') } })
    .then(
      () => `It is stored as artifact "${name}".`,
      (error: unknown) => {
        context.logger.error('a long value of code could not be stored', { error });
        return 'It is lost.';
      },
    );
  const note =
    `The value has ${String(json.byteLength)} bytes of JSON and is not shown. ${stored} ` +
    'The code has run with all its effects: do not repeat them.';
  return { ...shown, note };
}

/** The beginning and the end of a long output. */
export function shortened(output: string, limit: number): string {
  if (output.length <= limit) return output;
  const half = Math.floor(limit / 2);
  const cut = output.length - 2 * half;
  return `${output.slice(0, half)}\n[${String(cut)} characters are left out]\n${output.slice(output.length - half)}`;
}
