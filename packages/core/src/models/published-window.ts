/** The contexts of models in tokens, by their names, as their providers publish them. The first that matches counts. */
const WINDOWS: readonly (readonly [RegExp, number])[] = [
  [/gemini-1\.5-pro/, 2_097_152],
  [/gemini/, 1_048_576],
  [/claude/, 200_000],
  [/gpt-4\.1/, 1_047_576],
  [/gpt-5(?:\.\d+)?-chat/, 128_000],
  [/gpt-5/, 400_000],
  [/gpt-4o|gpt-4-turbo|chatgpt-4o/, 128_000],
  [/gpt-4-32k/, 32_768],
  [/gpt-4/, 8_192],
  [/gpt-3\.5/, 16_385],
  [/gpt-oss/, 131_072],
  [/^o[134](?:-|$)/, 200_000],
  [/nova-(?:pro|lite)/, 300_000],
  [/nova-micro/, 128_000],
  [/grok-4-fast/, 2_000_000],
  [/grok-4|grok-code/, 256_000],
  [/grok/, 131_072],
  [/mistral-large|mistral-medium|mistral-small|ministral|magistral|devstral|pixtral/, 128_000],
  [/codestral/, 256_000],
  [/deepseek/, 65_536],
  [/llama-?3\.[123]|llama-3\.3/, 131_072],
  [/command-a/, 256_000],
  [/command-r/, 128_000],
];

/** The published context of a model; undefined for a name that is not known. */
export function publishedWindow(name: string): number | undefined {
  const own = name.toLowerCase();
  return WINDOWS.find(([pattern]) => pattern.test(own))?.[1];
}
