import { createHash } from 'node:crypto';

import type { ToolContext } from '@adorn/core';

import { BEFORE } from '../stores/artifact.store.js';

/** Where a call keeps what its file was. */
export function beforeName(call: Pick<ToolContext, 'functionCallEventId' | 'functionCallId'>): string {
  const place = JSON.stringify([call.functionCallEventId, call.functionCallId]);
  return BEFORE + createHash('sha256').update(place).digest('base64url');
}
