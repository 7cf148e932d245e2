import { AdornError } from '@adorn/core';

export interface GeminiFailure {
  readonly model: string;
  /** The HTTP status; undefined if the request was not sent. */
  readonly status: number | undefined;
  /** The message of the API. */
  readonly said: string;
  readonly attempts: number;
}

/** The Gemini API rejected the request, or failed. */
export class GeminiFailedError extends AdornError {
  readonly code = 'MODEL_FAILED';
  /** The HTTP status; undefined if the request was not sent. */
  readonly status: number | undefined;

  constructor({ model, status, said, attempts }: GeminiFailure) {
    const what =
      status === undefined ? 'cannot be called with this request' : `answered with HTTP ${String(status)}`;
    const tries = attempts === 1 ? '' : ` after ${String(attempts)} attempts`;
    super(`Model "${model}" ${what}${tries}: ${said} ${cureOf(status)}`);
    this.status = status;
  }
}

function cureOf(status: number | undefined): string {
  if (status !== undefined && status >= 300 && status < 400)
    return 'Redirects are not followed, because they would receive the API key: set baseUrl to the final address.';
  if (status === 429) return 'Wait for the quota to refill, raise it, or use another model.';
  if (status !== undefined && status >= 500)
    return 'The error is on the side of Google: try again later, or use another model.';
  if (status === 404) return 'There is no API at this address: check baseUrl and apiVersion.';
  return 'Check generateContentConfig, the tools and the conversation.';
}

/** There is neither an API key nor a project. */
export class GeminiKeyMissingError extends AdornError {
  readonly code = 'MODEL_UNAVAILABLE';

  constructor(vertexai: boolean) {
    super(
      vertexai
        ? 'Gemini on Vertex AI cannot be called: there is neither a project nor an API key. Set GOOGLE_CLOUD_PROJECT ' +
            '(and GOOGLE_CLOUD_LOCATION), or pass project and location, or apiKey, to new GeminiModel({ … }).'
        : 'Gemini cannot be called: there is no API key. Set GEMINI_API_KEY, or pass apiKey to ' +
            'new GeminiModel({ … }), or use Vertex AI (GOOGLE_GENAI_USE_VERTEXAI=true with GOOGLE_CLOUD_PROJECT), ' +
            'or give the agent another model.',
    );
  }
}

/** Google refused the credentials: a wrong key, no access to the model, or an API that is not enabled. */
export class GeminiKeyRefusedError extends AdornError {
  readonly code = 'MODEL_UNAVAILABLE';

  constructor(
    model: string,
    readonly status: number | undefined,
    said: string,
    vertexai: boolean,
  ) {
    super(
      `Google refused the credentials for model "${model}"` +
        `${status === undefined ? '' : ` (HTTP ${String(status)})`}: ${said} ` +
        (vertexai
          ? 'Log in with "gcloud auth application-default login", and check that the project may use Vertex AI.'
          : 'Check GEMINI_API_KEY (or apiKey); create a key at https://aistudio.google.com/apikey.'),
    );
  }
}

/** Gemini has no model with that name, or not for this API version or region. */
export class GeminiModelNotFoundError extends AdornError {
  readonly code = 'MODEL_NOT_FOUND';

  constructor(
    readonly model: string,
    said: string,
  ) {
    super(
      `Gemini has no model "${model}": ${said} ` +
        'Check the name against https://ai.google.dev/gemini-api/docs/models, such as gemini-2.5-flash; ' +
        'on Vertex AI check that the location offers it.',
    );
  }
}

/** A base URL is not an HTTP URL, or the API key must not be sent to it. */
export class GeminiSettingsInvalidError extends AdornError {
  readonly code = 'MODEL_UNAVAILABLE';

  /**
   * @param setting the name of the setting; not its value, which may contain a password or a key
   * @param fault the end of the sentence "<setting> …"
   */
  constructor(
    readonly setting: string,
    fault: string,
  ) {
    super(
      `Gemini cannot be called: ${setting} ${fault}. ` +
        'Use a URL such as https://gateway.example.com, or http://127.0.0.1:8080 for a server on this machine.',
    );
  }
}

/** No response: the host is unreachable, the connection was lost, or it timed out. */
export class GeminiUnreachableError extends AdornError {
  readonly code = 'MODEL_UNAVAILABLE';

  constructor(
    readonly host: string,
    what: string,
    options: ErrorOptions & { readonly attempts: number },
  ) {
    const tries = options.attempts === 1 ? '' : ` after ${String(options.attempts)} attempts`;
    super(
      `No response from ${host}${tries}: ${what}. ` +
        'Check the network, the proxy, and baseUrl (or GOOGLE_GEMINI_BASE_URL) if you meant another host.',
      { cause: options.cause },
    );
  }
}
