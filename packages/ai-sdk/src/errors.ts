import { AdornError } from '@adorn/core';

export interface ProviderFailure {
  readonly model: string;
  /** The HTTP status; undefined if the provider's package refused the request. */
  readonly status: number | undefined;
  /** The message of the provider. */
  readonly said: string;
  readonly attempts: number;
}

/** The provider rejected the request, or failed. */
export class AiSdkFailedError extends AdornError {
  readonly code = 'MODEL_FAILED';
  /** The HTTP status; undefined if the provider's package refused the request. */
  readonly status: number | undefined;

  constructor({ model, status, said, attempts }: ProviderFailure) {
    const what =
      status === undefined ? 'cannot be called with this request' : `answered with HTTP ${String(status)}`;
    super(`Model "${model}" ${what}${triesOf(attempts)}: ${said} ${cureOf(status)}`);
    this.status = status;
  }
}

/** A file of the newest message cannot be sent to the model. */
export class AiSdkFileRefusedError extends AdornError {
  readonly code = 'MODEL_FAILED';

  constructor(
    readonly model: string,
    readonly file: string,
    reason: string,
  ) {
    super(
      `Model "${model}" cannot be called with the file ${file}: ${reason}. ` +
        'Send the file in another form, or use a model that takes it, such as by fallbackModel.',
    );
  }
}

function cureOf(status: number | undefined): string {
  if (status === 402) return 'Add credits to the account at the provider, or use another model.';
  if (status === 429) return 'Wait for the quota to refill, raise it, or use another model.';
  if (status !== undefined && status >= 500)
    return 'The error is on the side of the provider: try again later, or use another model.';
  if (status === 404) return 'There is no API at this address: check the base URL of the provider.';
  return 'Check generateContentConfig, providerOptions, the tools and the conversation.';
}

function triesOf(attempts: number): string {
  return attempts === 1 ? '' : ` after ${String(attempts)} attempts`;
}

/** The provider's package found no API key, or another setting is missing. */
export class AiSdkSettingsMissingError extends AdornError {
  readonly code = 'MODEL_UNAVAILABLE';

  constructor(model: string, said: string) {
    super(
      `Model "${model}" cannot be called: ${said} ` +
        'Set the variable in the environment, or pass the setting where the provider is created.',
    );
  }
}

/** The provider refused the credentials: a wrong key, or no access to the model. */
export class AiSdkKeyRefusedError extends AdornError {
  readonly code = 'MODEL_UNAVAILABLE';

  constructor(
    model: string,
    readonly status: number,
    said: string,
  ) {
    super(
      `The provider refused the credentials for model "${model}" (HTTP ${String(status)}): ${said} ` +
        'Check the API key of the provider, and that it may use this model.',
    );
  }
}

/** The provider has no model with that name. */
export class AiSdkModelNotFoundError extends AdornError {
  readonly code = 'MODEL_NOT_FOUND';

  constructor(
    readonly model: string,
    said: string,
  ) {
    super(
      `The provider has no model "${model}": ${said} ` +
        "Check the name against the provider's list of models, and that the key may use it.",
    );
  }
}

/** No response: the host is unreachable, the connection was lost, or it timed out. */
export class AiSdkUnreachableError extends AdornError {
  readonly code = 'MODEL_UNAVAILABLE';

  constructor(
    readonly model: string,
    readonly host: string,
    what: string,
    attempts: number,
  ) {
    super(
      `No response from ${host || 'the provider'} for model "${model}"${triesOf(attempts)}: ${what}. ` +
        'Check the network, the proxy, and the base URL of the provider.',
    );
  }
}

/** A model is named, and the package of its provider is not installed. */
export class ProviderPackageMissingError extends AdornError {
  readonly code = 'MODEL_UNAVAILABLE';

  /** @param variable the variable of the API key, if it is not set either */
  constructor(
    readonly model: string,
    readonly packageName: string,
    variable?: string,
  ) {
    const setting = variable === undefined ? '' : `Set ${variable} in the environment. `;
    super(
      `Model "${model}" cannot be used: ${packageName} is not installed. ` +
        `${setting}Run: npm install ${packageName} @adorn/ai-sdk`,
    );
  }
}
