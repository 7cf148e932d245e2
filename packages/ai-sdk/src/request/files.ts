import type { Part } from '@adorn/core';
import type { FunctionResponse } from '@adorn/core/backend';
import type { JsonObject } from '@adorn/core/dialects';

import type { Specification } from '../specification.js';
import type { FilePart } from './call-options.js';

type FunctionResponsePart = NonNullable<FunctionResponse['parts']>[number];

const UNKNOWN_TYPE = 'application/octet-stream';

/** A file of a message: its bytes, or a URL that the provider reads. Undefined if there is neither, or no valid URL. */
export function toFilePart({ inlineData, fileData }: Part, version: Specification): FilePart | undefined {
  const { mimeType = UNKNOWN_TYPE, displayName } = inlineData ?? fileData ?? {};
  const named = displayName === undefined ? {} : { filename: displayName };
  if (inlineData?.data !== undefined) {
    const { data } = inlineData;
    return {
      type: 'file',
      mediaType: mimeType,
      ...named,
      data: version === 'v4' ? { type: 'data', data } : data,
    };
  }
  const url = urlOf(fileData?.fileUri);
  if (!url) return undefined;
  return { type: 'file', mediaType: mimeType, ...named, data: version === 'v4' ? { type: 'url', url } : url };
}

/** A file of a tool's result. */
export function toResultFile(
  { inlineData, fileData }: FunctionResponsePart,
  version: Specification,
): JsonObject | undefined {
  const mediaType = inlineData?.mimeType ?? fileData?.mimeType ?? UNKNOWN_TYPE;
  const kind = mediaType.startsWith('image/') ? 'image' : 'file';
  if (inlineData?.data !== undefined) {
    const { data } = inlineData;
    if (version === 'v2') return { type: 'media', data, mediaType };
    if (version === 'v4') return { type: 'file', data: { type: 'data', data }, mediaType };
    return { type: `${kind}-data`, data, mediaType };
  }
  const url = urlOf(fileData?.fileUri);
  if (!url) return undefined;
  if (version === 'v4') return { type: 'file', data: { type: 'url', url }, mediaType };
  // Specification v2 has no URLs in results.
  return version === 'v2' ? { type: 'text', text: url.href } : { type: `${kind}-url`, url: url.href };
}

function urlOf(uri: string | undefined): URL | undefined {
  return uri !== undefined && URL.canParse(uri) ? new URL(uri) : undefined;
}
