import type { Event } from './event.js';

/** Takes the events of a run. */
export interface EventSink {
  /**
   * Resolves when the event is stored and read, and the next one is requested. Rejects if it is not: the run is over for
   * whoever emits.
   */
  emit(event: Event): Promise<void>;
}
