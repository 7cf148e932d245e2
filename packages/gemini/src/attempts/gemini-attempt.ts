import { withFinishedEvents } from './finished-events.js';
import { exposureOf } from '../gemini-settings.js';
import { GeminiSettingsInvalidError } from '../errors.js';
import { readHttpFailure } from './http-failure.js';
import { patientDispatcher } from './patient-dispatcher.js';

export interface AttemptOptions {
  /** The invocation's own signal. */
  readonly signal: AbortSignal;
  /** Milliseconds it may be silent. */
  readonly timeout: number;
  readonly stream: boolean;
}

/** One request on its way: it ends when the invocation is cancelled, when it is silent too long, or by `end`. */
export class GeminiAttempt {
  /** The stage of the attempt, by which errors are classified. */
  stage: 'preparing' | 'sent' | 'answering' = 'preparing';
  timedOut = false;
  /** Where it was sent to. */
  host = '';
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly options: AttemptOptions) {
    options.signal.addEventListener('abort', this.abort, { once: true });
    this.timer = setTimeout(() => {
      this.timedOut = true;
      this.abort();
    }, options.timeout).unref();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Releases its resources; the connection too, unless the answer was read to its end. */
  end(outcome: 'complete' | 'given up'): void {
    clearTimeout(this.timer);
    this.options.signal.removeEventListener('abort', this.abort);
    if (outcome === 'given up') this.abort();
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
    return this.options.stream ? withFinishedEvents(response, () => this.timer.refresh()) : response;
  };

  /** Waits for work that itself may not hear the signal. */
  async until<Result>(work: Promise<Result>): Promise<Result> {
    let stop: (() => void) | undefined;
    const aborted = new Promise<never>((_resolve, reject) => {
      stop = () => {
        reject(new DOMException('The attempt was given up.', 'AbortError'));
      };
      if (this.signal.aborted) stop();
      else this.signal.addEventListener('abort', stop, { once: true });
    });
    try {
      return await Promise.race([work, aborted]);
    } finally {
      if (stop !== undefined) this.signal.removeEventListener('abort', stop);
    }
  }

  private readonly abort = (): void => {
    this.controller.abort();
  };
}

function patiently(init: RequestInit): RequestInit {
  const dispatcher = patientDispatcher();
  return dispatcher === undefined ? init : ({ ...init, dispatcher } as RequestInit);
}
