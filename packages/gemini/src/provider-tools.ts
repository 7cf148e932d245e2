import type { ProviderToolKind } from '@adorn/core/backend';

/** Not on Vertex AI. */
const ONLY_AI_STUDIO: ReadonlySet<ProviderToolKind> = new Set(['fileSearch']);

/** Not with an API key of Google AI Studio. */
const ONLY_VERTEX_AI: ReadonlySet<ProviderToolKind> = new Set([
  'enterpriseWebSearch',
  'exaAiSearch',
  'parallelAiSearch',
  'retrieval',
]);

/**
 * Whether Google runs tools of a kind for a model. A name without a generation, such as `gemini-flash-latest` or that of
 * a tuned model, is a recent model.
 */
export function supportsProviderTool(model: string, kind: ProviderToolKind, vertexai: boolean): boolean {
  const excluded = vertexai ? ONLY_AI_STUDIO : ONLY_VERTEX_AI;
  return isGemini(model) && (generationOf(model) ?? 2) >= 2 && !excluded.has(kind);
}

/** True if a request may combine functions with tools that Google runs: from Gemini 3 on, and not on Vertex AI. */
export function combinesProviderTools(model: string, vertexai: boolean): boolean {
  return !vertexai && (generationOf(model) ?? 0) >= 3;
}

/** The generation in a model's name, such as 2 of `gemini-2.5-flash`; undefined if the name has none. */
export function generationOf(model: string): number | undefined {
  const found = /(?:^|\/)gemini-(\d+)/.exec(model);
  return found === null ? undefined : Number(found[1]);
}

/** An endpoint or a tuned model has a name of its own. */
function isGemini(model: string): boolean {
  return /(?:^|\/)gemini-/.test(model) || /(?:^|\/)(?:endpoints|tunedModels)\//.test(model);
}
