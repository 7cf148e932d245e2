import { setTimeout } from 'node:timers/promises';

import type { Part as AgentPart } from '@adorn/core';
import type { Artifact, StreamResponse, Task } from '@a2a-js/sdk';
import { TaskNotFoundError, UnsupportedOperationError } from '@a2a-js/sdk/errors';

import { A2aPeerFailedError } from '../errors.js';
import { isAdkThought } from '../protocol/adk-parts.js';
import { cleanText } from '../protocol/clean-text.js';
import { textOf } from '../protocol/parts.js';
import { isSettled, isSettledState } from '../protocol/task-state.js';
import type { Peer } from './peer.js';

/** The longest wait between two attempts, in milliseconds. */
const MOST_WAIT_MS = 15_000;

/** Updates of a peer. */
export type Updates = AsyncIterator<StreamResponse, void, undefined>;

/** Follows a task until the peer needs something or is done. */
export class TaskFollower {
  /** The texts of artifacts that were shown, by id. */
  private readonly shown = new Map<string, string>();

  /** @param show takes pieces of the answer, and thoughts */
  constructor(
    private readonly peer: Peer,
    private readonly taskId: string,
    private readonly signal: AbortSignal,
    private readonly show: (part: AgentPart) => void,
  ) {}

  /**
   * Reads the updates, takes them up again when they break, and looks the task up where that is not possible.
   *
   * @param updates of the request that began the task, if it is read
   * @returns the task when it waits or has ended
   * @throws {A2aPeerFailedError} if the peer does not know the task any more
   */
  async follow(updates?: Updates): Promise<Task> {
    const { client, isStreaming } = await this.peer.connect();
    const { retries, pollMs } = this.peer.limits;
    let current = updates;
    let canSubscribe = isStreaming;
    let failures = 0;
    for (;;) {
      try {
        if (current !== undefined) await this.read(current);
        current = undefined;
        const task = await this.peer.getTask(client, this.taskId, this.signal);
        if (task.id !== this.taskId || task.status === undefined)
          throw new Error('it answered with no task of that id');
        if (isSettled(task)) return task;
        failures = 0;
        if (canSubscribe)
          current = client.resubscribeTask({ tenant: '', id: this.taskId }, { signal: this.signal });
        else await setTimeout(pollMs, undefined, { signal: this.signal });
      } catch (error) {
        if (this.signal.aborted) throw error;
        if (error instanceof TaskNotFoundError) throw this.forgotten();
        if (error instanceof UnsupportedOperationError) canSubscribe = false;
        else if (++failures > retries) throw error;
        current = undefined;
        await setTimeout(waitAfter(failures), undefined, { signal: this.signal });
      }
    }
  }

  /** Reads until the updates end, or none came for a while. */
  private async read(updates: Updates): Promise<void> {
    try {
      for (;;) {
        const silence = new AbortController();
        const late = setTimeout(this.peer.limits.timeout, 'late' as const, {
          signal: silence.signal,
          ref: false,
        });
        const step = await Promise.race([updates.next(), late.catch(() => 'late' as const)]);
        silence.abort();
        if (step === 'late' || step.done === true) return;
        if (this.note(step.value)) return;
      }
    } finally {
      void updates.return?.().catch(() => undefined);
    }
  }

  /** Shows an update. True if the task waits or has ended. */
  note({ payload }: StreamResponse): boolean {
    switch (payload?.$case) {
      case 'artifactUpdate':
        if (payload.value.artifact !== undefined)
          this.showArtifact(payload.value.artifact, payload.value.append);
        return false;
      case 'statusUpdate': {
        const { status } = payload.value;
        if (isSettledState(status?.state)) return true;
        const text = cleanText(textOf(status?.message));
        if (text !== '') this.show({ text, thought: true });
        return false;
      }
      case 'task':
        return isSettled(payload.value);
      default:
        return false;
    }
  }

  /** Shows what is new of an artifact, whether the update holds a piece or the whole. */
  private showArtifact({ artifactId, parts }: Artifact, isAppended: boolean): void {
    const text = parts
      .flatMap((part) => (part.content?.$case === 'text' && !isAdkThought(part) ? [part.content.value] : []))
      .join('');
    const before = this.shown.get(artifactId) ?? '';
    const whole = isAppended ? before + text : text;
    this.shown.set(artifactId, whole);
    const added = whole.startsWith(before) ? whole.slice(before.length) : '';
    if (added !== '') this.show({ text: cleanText(added) });
  }

  private forgotten(): A2aPeerFailedError {
    return new A2aPeerFailedError(
      this.peer.label,
      `it does not know the task ${this.taskId} any more`,
      'Ask again.',
    );
  }
}

/** Milliseconds to wait after some failures: twice as long each time. */
export function waitAfter(failures: number): number {
  return Math.min(MOST_WAIT_MS, 100 * 2 ** failures);
}
