import { AdornError } from '@adorn/core';

export interface GeminiFailure {
  readonly model: string;
  /** The HTTP status; undefined where the request was not even sent. */
  readonly status: number | undefined;
  /** Google's words. */
  readonly said: string;
  readonly attempts: number;
}

/** Google answered, and would not or could not do what was asked. */
export class GeminiFailedError extends AdornError {
  readonly code = 'MODEL_FAILED';
  /** The HTTP status; undefined where the request was not even sent. */
  readonly status: number | undefined;

  constructor({ model, status, said, attempts }: GeminiFailure) {
    const what = status === undefined ? 'cannot be asked this way' : `answered with HTTP ${String(status)}`;
    const tries = attempts === 1 ? '' : ` after ${String(attempts)} attempts`;
    super(`Model "${model}" ${what}${tries}: ${said} ${cureOf(status)}`);
    this.status = status;
  }
}

function cureOf(status: number | undefined): string {
  if (status !== undefined && status >= 300 && status < 400)
    return 'Redirects are not followed, as the API key would travel with them: set baseUrl to the final address.';
  if (status === 429) return 'Wait for the quota to refill, raise it, or use another model.';
  if (status !== undefined && status >= 500)
    return "The fault is on Google's side: try again later, or use another model.";
  if (status === 404) return 'Nothing is served at this address: check baseUrl and apiVersion.';
  return 'Check generateContentConfig, the tools and what the conversation holds.';
}

/** There is neither a key nor a project to call Gemini with. */
export class GeminiKeyMissingError extends AdornError {
  readonly code = 'MODEL_UNAVAILABLE';

  constructor(vertexai: boolean) {
    super(
      vertexai
        ? 'Gemini on Vertex AI cannot be asked: there is neither a project nor an API key. Set GOOGLE_CLOUD_PROJECT ' +
            '(and GOOGLE_CLOUD_LOCATION), or pass project and location, or apiKey, to new GeminiModel({ … }).'
        : 'Gemini cannot be asked: there is no API key. Set GEMINI_API_KEY, or pass apiKey to ' +
            'new GeminiModel({ … }), or use Vertex AI (GOOGLE_GENAI_USE_VERTEXAI=true with GOOGLE_CLOUD_PROJECT), ' +
            'or give the agent another model.',
    );
  }
}

/** Google does not let us in: a wrong key, no right to the model, or an API that is not switched on. */
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
          : 'Check GEMINI_API_KEY (or apiKey): make a key at https://aistudio.google.com/apikey.'),
    );
  }
}

/** Google knows no model of that name, or not for this API version or region. */
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

/** A base URL that the API key must not be sent to, or that is not the URL of an HTTP server. */
export class GeminiSettingsInvalidError extends AdornError {
  readonly code = 'MODEL_UNAVAILABLE';

  /**
   * @param setting names the setting; its value is not repeated, as it may hold a password or a key.
   * @param fault completes the sentence "<setting> …".
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

/** No answer came: the host is not there, the connection was lost, or it stayed silent. */
export class GeminiUnreachableError extends AdornError {
  readonly code = 'MODEL_UNAVAILABLE';

  constructor(
    readonly host: string,
    what: string,
    options: ErrorOptions & { readonly attempts: number },
  ) {
    const tries = options.attempts === 1 ? '' : ` after ${String(options.attempts)} attempts`;
    super(
      `No answer came from ${host}${tries}: ${what}. ` +
        'Check the network and the proxy, and baseUrl (or GOOGLE_GEMINI_BASE_URL) where another host is meant.',
      { cause: options.cause },
    );
  }
}
