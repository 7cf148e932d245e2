import type { Event } from '@adorn/core';
import { type Message, Role, type StreamResponse, TaskState } from '@a2a-js/sdk';

import { textPart } from '../protocol/parts.js';
import { artifactOf, isTold } from './task-of-log.js';

/**
 * What a stream tells of an event: pieces of an answer are appended to its artifact, and the whole replaces them; other
 * texts are messages of the working task.
 */
export function updatesOf(
  event: Event,
  place: { taskId: string; contextId: string },
  shown: Set<string>,
): StreamResponse[] {
  const artifact = artifactOf(event);
  if (artifact !== undefined) {
    const append = event.partial && shown.has(event.id);
    shown.add(event.id);
    const value = { ...place, artifact, append, lastChunk: !event.partial, metadata: undefined };
    return [{ payload: { $case: 'artifactUpdate', value } }];
  }
  if (!isTold(event) || event.text === '') return [];
  const message: Message = {
    ...{ messageId: event.id, ...place, role: Role.ROLE_AGENT, parts: [textPart(event.text)] },
    ...{ metadata: undefined, extensions: [], referenceTaskIds: [] },
  };
  const timestamp = new Date(event.timestamp * 1000).toISOString();
  const status = { state: TaskState.TASK_STATE_WORKING, message, timestamp };
  return [{ payload: { $case: 'statusUpdate', value: { ...place, status, metadata: undefined } } }];
}
