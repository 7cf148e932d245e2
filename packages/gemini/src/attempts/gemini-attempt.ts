import { ModelAttempt } from '@adorn/core/backend';

import { GeminiSettingsInvalidError } from '../errors.js';
import { exposureOf } from '../gemini-settings.js';
import { withFinishedEvents } from './finished-events.js';
import { readHttpFailure } from './http-failure.js';

interface AttemptOptions {
  /** The invocation's own signal. */
  readonly signal: AbortSignal;
  /** Milliseconds it may be silent. */
  readonly timeout: number;
  readonly stream: boolean;
}

/** One request to Gemini on its way. */
export class GeminiAttempt extends ModelAttempt {
  /** The stage of the attempt; errors are classified by it. */
  stage: 'preparing' | 'sent' | 'answering' = 'preparing';
  /** Where it was sent to. */
  host = '';

  constructor(private readonly options: AttemptOptions) {
    super(options.signal, options.timeout);
  }

  /**
   * The `fetch` for @google/genai. A status other than 200 becomes an `HttpFailure`. No redirect is followed, since
   * the credentials in the headers would travel with it.
   */
  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    const exposure = exposureOf(url);
    if (exposure !== undefined) throw new GeminiSettingsInvalidError('httpOptions.baseUrl', exposure);
    this.host = url.host;
    this.stage = 'sent';
    const response = await fetch(input, { ...patiently(init), redirect: 'manual' });
    if (!response.ok) throw await readHttpFailure(response);
    this.stage = 'answering';
    return this.options.stream ? withFinishedEvents(response, () => this.heard()) : response;
  };
}

function patiently(init: RequestInit): RequestInit {
  const dispatcher = patientDispatcher();
  return dispatcher ? ({ ...init, dispatcher } as RequestInit) : init;
}

const GLOBAL_DISPATCHER = Symbol.for('undici.globalDispatcher.1');

interface Dispatcher {
  dispatch(options: object, handler: unknown): boolean;
}

/**
 * Node's `fetch` gives up on a body that is silent for five minutes, and a thinking model may be. Our own timeout
 * watches instead. Undefined where Node's dispatcher is out of sight; then its five minutes hold.
 */
function patientDispatcher(): Dispatcher | undefined {
  const found = (globalThis as { [GLOBAL_DISPATCHER]?: Dispatcher })[GLOBAL_DISPATCHER];
  if (!found) return undefined;
  return {
    dispatch: (options, handler) =>
      found.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler),
  };
}
