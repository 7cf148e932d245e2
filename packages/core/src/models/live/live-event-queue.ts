import { Channel } from '../../runtime/channel.js';
import type { LiveEvent } from './live-event.js';

/**
 * The events of a live connection on their way to its reader. Events that nobody has read are kept; those after `closed`
 * are dropped, as a connection that has ended reports none.
 */
export class LiveEventQueue {
  private readonly channel = new Channel<LiveEvent>();
  private isEnded = false;

  /** True once `closed` was reported. */
  get isOver(): boolean {
    return this.isEnded;
  }

  push(event: LiveEvent): void {
    if (this.isEnded) return;
    this.channel.push(event);
    if (event.kind !== 'closed') return;
    this.isEnded = true;
    this.channel.end(() => Promise.resolve(DONE));
  }

  /** Reads the events. @param onReturn called when the reader stops before the end */
  read(onReturn: () => void): AsyncIterator<LiveEvent, void, undefined> {
    return {
      next: () => this.channel.next(),
      return: () => {
        onReturn();
        return Promise.resolve(DONE);
      },
    };
  }
}

const DONE: IteratorReturnResult<undefined> = Object.freeze({ done: true, value: undefined });
