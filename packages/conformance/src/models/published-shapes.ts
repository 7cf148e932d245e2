import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createGroq } from '@ai-sdk/groq';
import { createMistral } from '@ai-sdk/mistral';
import { createOpenRouter } from '@openrouter/ai-sdk-provider';
import type { AiSdkLanguageModel } from '@adorn/ai-sdk';

/** What the answer of a shape says, in the words of the vendor's reference. */
export const SAID = {
  thought: 'A red square, so the city of the red square.',
  text: 'It is Moscow.',
  city: 'Moscow',
  image: 'iVBORw0KGgo=',
};

export interface Usage {
  readonly promptTokenCount: number;
  readonly cachedContentTokenCount?: number;
  readonly candidatesTokenCount: number;
  readonly thoughtsTokenCount?: number;
}

/**
 * The bodies of one vendor's API, as its reference and its published recordings show them. They say the same: a thought,
 * a text and a call of `get_weather`.
 */
export interface PublishedShape {
  readonly vendor: string;
  readonly model: (address: { readonly baseURL: string; readonly apiKey: string }) => AiSdkLanguageModel;
  readonly whole: object;
  readonly streamed: readonly object[];
  readonly usage: Usage;
  /** In the first request: the image of the user's message. */
  readonly image: object;
  /** In the second request: what the model said, and the result of its call. */
  readonly sentBack: readonly object[];
}

const { thought, text, city, image } = SAID;
const ARGUMENTS = JSON.stringify({ city });
const RESULT = JSON.stringify({ degrees: 9 });
const IMAGE_URL = `data:image/png;base64,${image}`;

/** OpenAI's envelope, which these vendors share. */
const HEAD = { id: 'cmpl-1', created: 1_770_770_833, model: 'm' };

function completion(message: object, usage: object): object {
  const choices = [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'tool_calls' }];
  return { ...HEAD, object: 'chat.completion', choices, usage };
}

function chunk(delta: object, more: object = {}, finish: string | null = null): object {
  return {
    ...HEAD,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...more,
  };
}

function halves(words: string): readonly [string, string] {
  return [words.slice(0, 7), words.slice(7)];
}

function toolCall(id: string): object {
  return { id, type: 'function', function: { name: 'get_weather', arguments: ARGUMENTS } };
}

const [firstThought, lastThought] = halves(thought);
const [firstText, lastText] = halves(text);
const [firstArguments, lastArguments] = halves(ARGUMENTS);

/** Arguments come in pieces; only the first one names the call. */
function callChunks(id: string): readonly object[] {
  const named = { id, type: 'function', function: { name: 'get_weather', arguments: firstArguments } };
  return [
    chunk({ tool_calls: [{ index: 0, ...named }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: lastArguments } }] }),
  ];
}

const GROQ_USAGE = {
  queue_time: 0.3,
  prompt_tokens: 17,
  prompt_time: 0.001,
  completion_tokens: 649,
  completion_time: 1.2,
  total_tokens: 666,
  total_time: 1.2,
  prompt_tokens_details: { cached_tokens: 8 },
  completion_tokens_details: { reasoning_tokens: 570 },
};

/** https://console.groq.com/docs/reasoning: `reasoning`; the usage of a stream is in `x_groq` of its last chunk. */
const GROQ: PublishedShape = {
  vendor: 'Groq',
  model: (address) => createGroq(address)('qwen/qwen3-32b'),
  whole: {
    ...completion({ content: text, reasoning: thought, tool_calls: [toolCall('fa4mzqq8k')] }, GROQ_USAGE),
    x_groq: { id: 'req_1', seed: 1 },
  },
  streamed: [
    chunk({ role: 'assistant', content: '' }, { x_groq: { id: 'req_1', seed: 1 } }),
    chunk({ reasoning: firstThought }),
    chunk({ reasoning: lastThought }),
    chunk({ content: firstText }),
    chunk({ content: lastText }),
    chunk({ tool_calls: [{ index: 0, ...toolCall('fa4mzqq8k') }] }),
    chunk({}, { x_groq: { id: 'req_1', usage: GROQ_USAGE } }, 'tool_calls'),
  ],
  usage: {
    promptTokenCount: 17,
    cachedContentTokenCount: 8,
    candidatesTokenCount: 79,
    thoughtsTokenCount: 570,
  },
  image: { type: 'image_url', image_url: { url: IMAGE_URL } },
  sentBack: [
    { role: 'assistant', content: text, reasoning: thought, tool_calls: [toolCall('fa4mzqq8k')] },
    { role: 'tool', tool_call_id: 'fa4mzqq8k', content: RESULT },
  ],
};

const MISTRAL_USAGE = {
  prompt_tokens: 26,
  total_tokens: 138,
  completion_tokens: 112,
  prompt_tokens_details: { cached_tokens: 6 },
};

function thinking(words: string): object {
  return { type: 'thinking', thinking: [{ type: 'text', text: words }] };
}

/** https://docs.mistral.ai/capabilities/reasoning: the content is a list; the usage of a stream is in its last chunk. */
const MISTRAL: PublishedShape = {
  vendor: 'Mistral',
  model: (address) => createMistral(address)('magistral-medium-latest'),
  whole: completion(
    {
      content: [
        { ...thinking(thought), closed: true },
        { type: 'text', text },
      ],
      tool_calls: [toolCall('D681PevKs')],
    },
    MISTRAL_USAGE,
  ),
  streamed: [
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: [thinking(firstThought)] }),
    chunk({ content: [thinking(lastThought)] }),
    chunk({ content: [{ type: 'text', text: firstText }] }),
    chunk({ content: lastText }),
    chunk({ tool_calls: [{ index: 0, ...toolCall('D681PevKs') }] }, { usage: MISTRAL_USAGE }, 'tool_calls'),
  ],
  usage: { promptTokenCount: 26, cachedContentTokenCount: 6, candidatesTokenCount: 112 },
  image: { type: 'image_url', image_url: IMAGE_URL },
  sentBack: [
    {
      role: 'assistant',
      content: [thinking(thought), { type: 'text', text }],
      tool_calls: [toolCall('D681PevKs')],
    },
    { role: 'tool', name: 'get_weather', tool_call_id: 'D681PevKs', content: RESULT },
  ],
};

const OPENROUTER_USAGE = {
  prompt_tokens: 194,
  completion_tokens: 40,
  total_tokens: 234,
  cost: 0.001,
  prompt_tokens_details: { cached_tokens: 100 },
  completion_tokens_details: { reasoning_tokens: 30 },
};

function detail(fields: object): object {
  return { type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0, ...fields };
}

/** https://openrouter.ai/docs/use-cases/reasoning-tokens: `reasoning_details` go back unmodified. */
const OPENROUTER: PublishedShape = {
  vendor: 'OpenRouter',
  model: (address) => createOpenRouter(address)('anthropic/claude-sonnet-4.5'),
  whole: {
    ...completion(
      {
        content: text,
        refusal: null,
        reasoning: thought,
        reasoning_details: [detail({ text: thought, signature: 'c2lnbmVk' })],
        tool_calls: [toolCall('toolu_01A09q90qw90lq917835lq9')],
      },
      OPENROUTER_USAGE,
    ),
    provider: 'Anthropic',
  },
  streamed: [
    chunk({ role: 'assistant', content: '' }, { provider: 'Anthropic' }),
    chunk({ reasoning: firstThought, reasoning_details: [detail({ text: firstThought })] }),
    chunk({ reasoning: lastThought, reasoning_details: [detail({ text: lastThought })] }),
    chunk({ reasoning_details: [detail({ signature: 'c2lnbmVk' })] }),
    chunk({ content: firstText }),
    chunk({ content: lastText }),
    ...callChunks('toolu_01A09q90qw90lq917835lq9'),
    chunk({}, {}, 'tool_calls'),
    { ...HEAD, object: 'chat.completion.chunk', choices: [], usage: OPENROUTER_USAGE },
  ],
  usage: {
    promptTokenCount: 194,
    cachedContentTokenCount: 100,
    candidatesTokenCount: 10,
    thoughtsTokenCount: 30,
  },
  image: { type: 'image_url', image_url: { url: IMAGE_URL } },
  sentBack: [
    {
      role: 'assistant',
      content: text,
      reasoning: thought,
      reasoning_details: [detail({ text: thought, signature: 'c2lnbmVk' })],
      tool_calls: [toolCall('toolu_01A09q90qw90lq917835lq9')],
    },
    { role: 'tool', tool_call_id: 'toolu_01A09q90qw90lq917835lq9', content: RESULT },
  ],
};

const GOOGLE_USAGE = {
  promptTokenCount: 300,
  cachedContentTokenCount: 120,
  candidatesTokenCount: 21,
  thoughtsTokenCount: 77,
  totalTokenCount: 398,
};

function candidate(parts: readonly object[], more: object = {}): object {
  return {
    candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
    modelVersion: 'gemini-3-pro',
  };
}

const SIGNED_CALL = {
  functionCall: { name: 'get_weather', args: { city } },
  thoughtSignature: 'c2lnbmVk',
};

/** https://ai.google.dev/gemini-api/docs/thought-signatures: the signature of the call goes back with it. */
const GOOGLE: PublishedShape = {
  vendor: 'Google',
  model: (address) => createGoogleGenerativeAI(address)('gemini-3-pro-preview'),
  whole: {
    ...candidate([{ text: thought, thought: true }, { text }, SIGNED_CALL], { finishReason: 'STOP' }),
    usageMetadata: GOOGLE_USAGE,
  },
  streamed: [
    candidate([{ text: firstThought, thought: true }]),
    candidate([{ text: lastThought, thought: true }]),
    candidate([{ text: firstText }]),
    candidate([{ text: lastText }]),
    { ...candidate([SIGNED_CALL], { finishReason: 'STOP' }), usageMetadata: GOOGLE_USAGE },
  ],
  usage: {
    promptTokenCount: 300,
    cachedContentTokenCount: 120,
    candidatesTokenCount: 21,
    thoughtsTokenCount: 77,
  },
  image: { inlineData: { mimeType: 'image/png', data: image } },
  sentBack: [
    { text: thought, thought: true },
    { text },
    SIGNED_CALL,
    // The package puts the result under `content`.
    { functionResponse: { name: 'get_weather', response: { content: { degrees: 9 } } } },
  ],
};

export const PUBLISHED_SHAPES: readonly PublishedShape[] = [GROQ, MISTRAL, OPENROUTER, GOOGLE];
