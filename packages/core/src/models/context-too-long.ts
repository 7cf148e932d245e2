import { AdornError } from '@adorn/schema';

/** What a provider said when it refused a request. */
export interface ProviderRefusal {
  /** The HTTP status, or the status that an error without one is like; undefined if unknown. */
  readonly status?: number | undefined;
  /** The provider's name of the error, such as `context_length_exceeded`. */
  readonly reason?: string | undefined;
  /** What the provider says. It may repeat a key. */
  readonly message: string;
}

/** The sizes in a refusal, in tokens; undefined if it names none. */
export interface ContextSizes {
  /** The window of the model. */
  readonly window?: number | undefined;
  /** The size of the refused request. */
  readonly requested?: number | undefined;
}

/** Codes that mean nothing else, whatever the text. OpenAI, Azure, Groq, Cerebras; llama.cpp; GitHub Models. */
const CODES: ReadonlySet<string | undefined> = new Set([
  'context_length_exceeded',
  'exceed_context_size_error',
  'model_max_prompt_tokens_exceeded',
]);

/** How a provider words it. Named groups: `window` and `requested`, in tokens; `output` is added to the request. */
interface Wording {
  /** Who says it. */
  readonly provider: string;
  readonly form: RegExp;
}

const N = String.raw`[\d,._]+`;

/** A pattern in which spaces stand for any white space, and `<window>` for a number of that name. */
function form(text: string): RegExp {
  const source = text
    .replaceAll(' ', String.raw`\s+`)
    .replace(/<(\w+)>/g, (_all, name: string) => `(?<${name}>${N})`);
  return new RegExp(source, 'i');
}

/**
 * The words of refusals, as providers send them; public issues of clients quote each of them. The order matters only for
 * the numbers: the first form that matches gives them.
 */
const WORDINGS: readonly Wording[] = [
  // 400 invalid_request_error: "prompt is too long: 208732 tokens > 200000 maximum".
  { provider: 'Anthropic', form: form('prompt is too long: <requested> tokens > <window> maximum') },
  // 400: "input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000, decrease input length or …".
  {
    provider: 'Anthropic',
    form: form('input length and `?max_tokens`? exceed context limit: <requested> \\+ <output> > <window>'),
  },
  // 413 request_too_large: "Request exceeds the maximum size"; "Request size exceeds model context window".
  {
    provider: 'Anthropic',
    form: form('request exceeds the maximum size|request size exceeds model context window'),
  },
  // 400 ValidationException: "Input is too long for requested model."
  { provider: 'Bedrock', form: form('input is too long for (?:the )?requested model') },
  // 400: "Input Tokens Exceeded: Number of input tokens exceeds maximum length."
  { provider: 'Bedrock', form: form('input tokens exceeded|number of input tokens exceeds') },
  // 400: "too many total text bytes: 9123456 > 9000000".
  { provider: 'Bedrock', form: form('too many total text bytes') },
  // 400: "The input token count (3475108) exceeds the maximum number of tokens allowed (1048576)."
  {
    provider: 'Gemini',
    form: form(
      'input token count \\(?<requested>\\)? exceeds the maximum number of tokens allowed \\(?<window>',
    ),
  },
  // 400, of older versions: "The input token count exceeds the maximum number of tokens allowed 1048576."
  {
    provider: 'Gemini',
    form: form('input token count exceeds the maximum number of tokens allowed(?: \\(?<window>)?'),
  },
  // 400 of Vertex AI: "… because the input token count is 1500000 but model only supports up to 1048576."
  {
    provider: 'Gemini',
    form: form('input token count is <requested> but (?:the )?model only supports up to <window>'),
  },
  // 400: "Request payload size exceeds the limit: 20971520 bytes." A size in bytes, and no window.
  {
    provider: 'Gemini',
    form: form('request payload size exceeds the limit|contains text fields that are too large'),
  },
  // 400: "… maximum context length is 128000 tokens. However, your messages resulted in 204308 tokens. …"
  // "… However, you requested 69648 tokens (69648 in the messages, 0 in the completion). …" OpenRouter: "about 150000".
  // vLLM: "However, your request has 8195 input tokens."
  {
    provider: 'OpenAI chat, DeepSeek, OpenRouter, vLLM, Llama on Bedrock',
    form: form(
      'maximum context length is <window> tokens[.,]? however,? (?:your messages resulted in|you requested(?: about)?|your request has|your prompt contains) <requested>',
    ),
  },
  { provider: 'OpenAI chat and others', form: form('maximum context length is <window>') },
  // 400 of the Responses API: "Your input exceeds the context window of this model."
  { provider: 'OpenAI Responses', form: form('input exceeds the context window') },
  // 400: "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 304223 tokens."
  {
    provider: 'OpenAI Responses',
    form: form(
      'input tokens exceed the configured limit of <window> tokens(?:. your messages resulted in <requested>)?',
    ),
  },
  // 400 string_above_max_length: "… string too long. Expected a string with maximum length 10485760, but got …"
  { provider: 'OpenAI', form: form('string too long\\. expected a string with maximum length') },
  // 429 of OpenAI and 413 of Groq. It never passes, however long one waits:
  // "Request too large for model `x` … on tokens per minute (TPM): Limit 6000, Requested 14810, please reduce …".
  {
    provider: 'OpenAI, Groq',
    form: form('request too large for .*\\(TPM\\): limit <window>, requested <requested>'),
  },
  // 400: "Please reduce the length of the messages or completion." Cerebras: "Current length is 9000 while limit is 8192".
  {
    provider: 'Groq, Cerebras',
    form: form(
      'reduce the length of the messages(?: or completion\\. current length is <requested> while limit is <window>)?',
    ),
  },
  // 400: "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length".
  {
    provider: 'Mistral',
    form: form(
      'prompt contains <requested> tokens.* too large for model with <window> maximum context length',
    ),
  },
  // 400: "prompt too long; exceeded max context length by 4 tokens"; "input length exceeds the context length".
  {
    provider: 'Ollama',
    form: form(
      'prompt too long; exceeded|(?:input|prompt) (?:length )?exceeds (?:the )?(?:maximum )?context',
    ),
  },
  // 400: "request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it".
  {
    provider: 'llama.cpp',
    form: form(
      'request(?: \\(<requested> tokens\\))? exceeds the available context size(?: \\(<window> tokens\\))?',
    ),
  },
  // "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens".
  {
    provider: 'LM Studio',
    form: form('loaded with context length of only <window>|greater than the context length'),
  },
  // 400: "This model's maximum prompt length is 131072 but the request contains 537812 tokens."
  { provider: 'xAI', form: form('maximum prompt length is <window> but the request contains <requested>') },
  // 400: "The prompt is too long: 267657, model maximum context length: 262143".
  {
    provider: 'Fireworks',
    form: form('prompt is too long: <requested>, model maximum context length: <window>'),
  },
  // 400: "Input length (265330) exceeds model's maximum context length (262144)."
  {
    provider: 'SGLang and others',
    form: form(
      "input length \\(?<requested>\\)? exceeds (?:the )?(?:model'?s )?maximum context length(?: of)? \\(?<window>",
    ),
  },
  // 400: "prompt token count of 135000 exceeds the limit of 128000".
  {
    provider: 'GitHub Models',
    form: form('prompt token count of <requested> exceeds the limit of <window>'),
  },
  // "Your request exceeded model token limit: 8192 (requested: 9000)".
  { provider: 'Moonshot', form: form('exceeded model token limit: <window>(?: \\(requested: <requested>)?') },
  // "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292."
  {
    provider: 'Cohere',
    form: form('number of tokens in the prompt cannot exceed <window>(?: - received <requested>)?'),
  },
  // 422: "`inputs` tokens + `max_new_tokens` must be <= 4097".
  {
    provider: 'Together, Hugging Face',
    form: form('`inputs` tokens \\+ `max_new_tokens` must be <= <window>'),
  },
  { provider: 'MiniMax', form: form('context window exceeds limit') },
  // Last, without numbers.
  {
    provider: 'any',
    form: form('prompt is too long|exceeds (?:the|your) (?:model.s )?context (?:window|length|limit)'),
  },
];

/** Statuses of refusals; a server that failed says other things about contexts. 500: Ollama, and errors within streams. */
const STATUSES: ReadonlySet<number | undefined> = new Set([undefined, 200, 400, 413, 422, 429, 500]);

/**
 * The sizes that a refusal names, if a provider refused a request because it exceeds the model's context; undefined for
 * any other refusal.
 */
export function contextRefusal({ status, reason, message }: ProviderRefusal): ContextSizes | undefined {
  if (!STATUSES.has(status)) return undefined;
  const said = WORDINGS.map((wording) => wording.form.exec(message)).find((match) => match !== null);
  // Anthropic's gateway refuses a body of more than 32 MB without a word about contexts.
  const isNamed = CODES.has(reason) || (status === 413 && reason === 'request_too_large');
  if (!said && !isNamed) return undefined;
  const { window, requested, output } = said?.groups ?? {};
  const asked = numberOf(requested);
  return {
    window: numberOf(window),
    requested: asked === undefined ? undefined : asked + (numberOf(output) ?? 0),
  };
}

function numberOf(text: string | undefined): number | undefined {
  const number = Number((text ?? '').replaceAll(/[,._]/g, ''));
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** A request exceeds the context of its model: the provider refused it. It is not repeated as it is. */
export class ContextTooLongError extends AdornError {
  readonly code = 'CONTEXT_TOO_LONG';
  /** The context of the model in tokens, if the provider said so. */
  readonly window: number | undefined;
  /** The size of the request in tokens, if the provider said so. */
  readonly requested: number | undefined;

  /** @param said the message of the provider, without secrets */
  constructor(
    /** The name of the model. */
    readonly model: string,
    said: string,
    { window, requested }: ContextSizes = {},
  ) {
    super(
      `The conversation is too long for model "${model}": ${said} ` +
        'Rewind it, begin a new session, shorten what tools return, or use a model with a larger context.',
    );
    this.window = window;
    this.requested = requested;
  }
}
