import type { Content } from '../events/genai-types.js';
import type { EventActions } from '../events/event-actions.js';

/** What callbacks put in the place of a content, and the state and artifacts that they wrote. */
export interface Replacement {
  /** Undefined: the content stays as it is. */
  readonly content: Content | undefined;
  /** Undefined: nothing was written. */
  readonly actions: Partial<EventActions> | undefined;
}
