import { estimateTokens } from '@adorn/core/compiler';
import type { Explanation } from 'adorn';

/** The size of one part of a request. */
export interface PartSize {
  readonly part: string;
  /** Of its JSON, in UTF-8. */
  readonly bytes: number;
  readonly tokens: number;
}

/** The sizes of the parts of a request, and of all. */
export function requestSizes({ config, contents }: Explanation): PartSize[] {
  const { systemInstruction, tools, ...settings } = config;
  const parts = Object.entries({ instruction: systemInstruction, tools, history: contents, settings }).map(
    ([part, value]) => sizeOf(part, value),
  );
  const sum = (field: 'bytes' | 'tokens'): number => parts.reduce((total, part) => total + part[field], 0);
  return [...parts, { part: 'total', bytes: sum('bytes'), tokens: sum('tokens') }];
}

function sizeOf(part: string, value: unknown): PartSize {
  const json = typeof value === 'string' ? value : isEmpty(value) ? '' : JSON.stringify(value);
  return { part, bytes: Buffer.byteLength(json), tokens: estimateTokens(json) };
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  );
}
