import type { Wire } from './wire.js';

const PATH =
  /^\/+(?<version>[^/]+)\/(?:projects\/[^/]+\/locations\/[^/]+\/)?(?:publishers\/[^/]+\/)?(?:models|tunedModels|endpoints)\/(?<model>[^/:]+):(?<verb>generateContent|streamGenerateContent|batchEmbedContents|predict)(?:\?|$)/;

/** The Gemini API and Vertex AI: the script as it is. */
export const GEMINI_WIRE: Wire = {
  paths:
    '/{version}/models/{model}:generateContent, :streamGenerateContent, :batchEmbedContents and :predict',
  half: '{"candidates": [{"content": {"parts": [{"te',
  read: (path) => {
    const found = PATH.exec(path)?.groups;
    if (!found) return undefined;
    const { version = '', model = '', verb } = found;
    return {
      apiVersion: version,
      model: decodeURIComponent(model),
      stream: verb === 'streamGenerateContent',
    };
  },
  whole: (answer) => answer,
  events: (chunks) => chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`),
  failure: (_status, body) => body,
};
