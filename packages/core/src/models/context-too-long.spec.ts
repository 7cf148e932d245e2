import { contextRefusal, type ProviderRefusal } from './context-too-long.js';

/** Refusals as providers send them: status, code, text, and the sizes that it names. */
const REFUSALS: readonly (readonly [
  provider: string,
  refusal: ProviderRefusal,
  window: number | undefined,
  requested: number | undefined,
])[] = [
  [
    'Anthropic',
    {
      status: 400,
      reason: 'invalid_request_error',
      message: 'prompt is too long: 208732 tokens > 200000 maximum',
    },
    200_000,
    208_732,
  ],
  [
    'Anthropic, with room for the answer',
    {
      status: 400,
      message:
        'input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000, decrease input length or `max_tokens` and try again',
    },
    200_000,
    207_951,
  ],
  [
    'Anthropic, a body too large',
    { status: 413, reason: 'request_too_large', message: 'Too large' },
    undefined,
    undefined,
  ],
  [
    'Anthropic, a body too large in words',
    { status: 413, reason: 'request_too_large', message: 'Request exceeds the maximum size' },
    undefined,
    undefined,
  ],
  [
    'Bedrock',
    { status: 400, reason: 'ValidationException', message: 'Input is too long for requested model.' },
    undefined,
    undefined,
  ],
  [
    'Bedrock, Nova',
    {
      status: 400,
      message:
        'Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update the input to try again.',
    },
    undefined,
    undefined,
  ],
  [
    'Bedrock, Claude',
    {
      status: 400,
      message: 'The model returned the following errors: prompt is too long: 210000 tokens > 199999 maximum',
    },
    199_999,
    210_000,
  ],
  [
    'Bedrock, Llama',
    {
      status: 400,
      message: "This model's maximum context length is 8192 tokens. Please reduce the length of the prompt",
    },
    8_192,
    undefined,
  ],
  [
    'Gemini',
    {
      status: 400,
      reason: 'INVALID_ARGUMENT',
      message: 'The input token count (3475108) exceeds the maximum number of tokens allowed (1048576).',
    },
    1_048_576,
    3_475_108,
  ],
  [
    'Gemini, without its count',
    {
      status: 400,
      reason: 'INVALID_ARGUMENT',
      message: 'The input token count exceeds the maximum number of tokens allowed 1048576.',
    },
    1_048_576,
    undefined,
  ],
  [
    'Vertex AI',
    {
      status: 400,
      message:
        'Unable to submit request because the input token count is 1500000 but model only supports up to 1048576. Reduce the input token count and try again.',
    },
    1_048_576,
    1_500_000,
  ],
  [
    'Gemini, in bytes',
    { status: 400, message: 'Request payload size exceeds the limit: 20971520 bytes.' },
    undefined,
    undefined,
  ],
  [
    'OpenAI chat',
    {
      status: 400,
      reason: 'context_length_exceeded',
      message:
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 204308 tokens. Please reduce the length of the messages.",
    },
    128_000,
    204_308,
  ],
  [
    'OpenAI chat, with the answer',
    {
      status: 400,
      reason: 'context_length_exceeded',
      message:
        "This model's maximum context length is 65536 tokens. However, you requested 69648 tokens (69648 in the messages, 0 in the completion). Please reduce the length of the messages or completion.",
    },
    65_536,
    69_648,
  ],
  [
    'OpenAI Responses',
    {
      status: 400,
      reason: 'context_length_exceeded',
      message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
    },
    undefined,
    undefined,
  ],
  [
    'OpenAI Responses, with a limit',
    {
      status: 400,
      message:
        'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 304223 tokens. Please reduce the length of the messages.',
    },
    272_000,
    304_223,
  ],
  [
    'OpenAI, tokens per minute',
    {
      status: 429,
      reason: 'rate_limit_exceeded',
      message:
        'Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 342389. The input or output tokens must be reduced in order to run successfully.',
    },
    30_000,
    342_389,
  ],
  [
    'OpenRouter',
    {
      status: 400,
      message:
        "This endpoint's maximum context length is 1048576 tokens. However, you requested about 1293741 tokens (1227853 of text input). Please reduce the length of either one.",
    },
    1_048_576,
    1_293_741,
  ],
  [
    'Groq',
    {
      status: 400,
      reason: 'context_length_exceeded',
      message: 'Please reduce the length of the messages or completion.',
    },
    undefined,
    undefined,
  ],
  [
    'Groq, tokens per minute',
    {
      status: 413,
      reason: 'rate_limit_exceeded',
      message:
        'Request too large for model `llama-3.3-70b-versatile` in organization `org_x` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Requested 14810, please reduce your message size and try again.',
    },
    6_000,
    14_810,
  ],
  [
    'Mistral',
    {
      status: 400,
      reason: '3051',
      message:
        'Prompt contains 40012 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    },
    32_768,
    40_012,
  ],
  [
    'Ollama',
    { status: 400, message: 'prompt too long; exceeded max context length by 4 tokens' },
    undefined,
    undefined,
  ],
  [
    'llama.cpp',
    {
      status: 400,
      reason: 'exceed_context_size_error',
      message: 'request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it',
    },
    4_096,
    5_000,
  ],
  [
    'vLLM',
    {
      status: 400,
      message:
        "This model's maximum context length is 8192 tokens. However, your request has 8195 input tokens. Please reduce the length of the input messages.",
    },
    8_192,
    8_195,
  ],
  [
    'xAI',
    {
      status: 400,
      message: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    },
    131_072,
    537_812,
  ],
  [
    'Fireworks',
    { status: 400, message: 'The prompt is too long: 267657, model maximum context length: 262143' },
    262_143,
    267_657,
  ],
  [
    'SGLang',
    { status: 400, message: "Input length (265330) exceeds model's maximum context length (262144)." },
    262_144,
    265_330,
  ],
  [
    'GitHub Models',
    { status: 400, message: 'prompt token count of 135000 exceeds the limit of 128000' },
    128_000,
    135_000,
  ],
  [
    'Cohere',
    {
      status: 400,
      message: 'too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292.',
    },
    4_081,
    4_292,
  ],
];

describe('the refusal of a request that exceeds the context of a model', () => {
  it.each(REFUSALS)(
    'is recognised in the words of %s, with the sizes that they name',
    (_name, said, window, requested) => {
      expect(contextRefusal(said)).toEqual({ window, requested });
    },
  );

  it.each<ProviderRefusal>([
    {
      status: 429,
      message:
        'Rate limit reached for model `x` on tokens per minute (TPM): Limit 6000, Used 5034, Requested 1443.',
    },
    {
      status: 400,
      message: 'max_tokens must be less than or equal to 16384, the maximum value for max_tokens',
    },
    { status: 400, message: 'messages.3.content: the prompt is missing' },
    { status: 503, message: 'The service may be temporarily overloaded, or your input context is too long.' },
    { status: 401, message: 'prompt is too long: 208732 tokens > 200000 maximum' },
    { status: 413, message: 'Payload Too Large' },
    { status: undefined, message: '' },
  ])('is no other refusal: $status $message', (said) => {
    expect(contextRefusal(said)).toBeUndefined();
  });
});
