import { AdornError } from '@adorn/core';

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
