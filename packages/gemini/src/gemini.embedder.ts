import { checkOptions } from '@adorn/core/backend';
import type { EmbedContentParameters, GoogleGenAI } from '@google/genai';
import { Embedder } from '@adorn/core';
import { SYSTEM_TIMING, type Timing, type EmbeddingPurpose } from '@adorn/core/backend';

import type { GeminiAttempt } from './attempts/gemini-attempt.js';
import type { GeminiErrand } from './gemini-call.js';
import { connectGemini } from './gemini-client.js';
import type { GeminiOptions } from './gemini-options.js';
import { checkBaseUrl, type GeminiSettings, readSettings } from './gemini-settings.js';
import { withRetries } from './attempts/with-retries.js';
import { EMBEDDER_OPTIONS } from './gemini-option-rules.js';

/** How a {@link GeminiEmbedder} reaches Gemini. Default of `model`: `gemini-embedding-001`. */
export interface GeminiEmbedderOptions extends GeminiOptions {
  /** The number of dimensions of each vector, at most 3,072. Default: 768. */
  readonly dimensions?: number;
  /**
   * The cosine below which two texts count as unrelated. Default: 0.5, a guess: it was not measured, and Google
   * publishes no value. A good value depends on the model, on `dimensions` and on the subject of the texts. To find
   * it, `embed` some queries and texts, and choose a value between the cosines of related and of unrelated pairs. If
   * it is too low, unrelated texts are found behind the related ones; if it is too high, only the search by words
   * finds anything.
   */
  readonly minScore?: number;
}

/** The maximum number of texts in a request to Gemini; Vertex AI accepts one text for this model. */
const TOGETHER = 100;

/** A user waits for the search: after three attempts within ten seconds, it uses words only. */
const PATIENCE = { timeout: 30_000, retry: { attempts: 3, maxTotal: 10_000 } };

/**
 * Gemini's embedding model. Making one is cheap: the environment is read and @google/genai loaded with the first
 * texts.
 *
 * @example
 * bind(Embedder).toConstantValue(new GeminiEmbedder());
 */
export class GeminiEmbedder extends Embedder {
  readonly name: string;
  readonly dimensions: number;
  private settings: GeminiSettings | undefined;
  private client: Promise<GoogleGenAI> | undefined;

  /** @param timing is for specs, which do not wait. */
  constructor(
    private readonly options: GeminiEmbedderOptions = {},
    private readonly timing: Timing = SYSTEM_TIMING,
  ) {
    super();
    checkOptions('new GeminiEmbedder', options, EMBEDDER_OPTIONS);
    checkBaseUrl(options.baseUrl);
    this.name = options.model ?? 'gemini-embedding-001';
    this.dimensions = options.dimensions ?? 768;
  }

  override get minScore(): number {
    return this.options.minScore ?? 0.5;
  }

  /** @throws the errors of `GeminiModel.generate` */
  async embed(texts: readonly string[], purpose: EmbeddingPurpose = 'document'): Promise<number[][]> {
    if (texts.length === 0) return [];
    const errand = await this.prepare();
    const together = errand.settings.vertexai ? 1 : TOGETHER;
    const vectors: number[][] = [];
    for (let start = 0; start < texts.length; start += together) {
      const some = texts.slice(start, start + together);
      vectors.push(
        ...(await withRetries(errand, false, (attempt) => this.ask(errand, attempt, some, purpose))),
      );
    }
    return vectors;
  }

  private async prepare(): Promise<GeminiErrand> {
    const settings = (this.settings ??= readSettings(this.options, process.env));
    return {
      client: await (this.client ??= connectGemini(settings)),
      settings,
      model: this.name,
      signal: new AbortController().signal,
      timeout: this.options.timeout ?? PATIENCE.timeout,
      retry: { ...PATIENCE.retry, ...this.options.retry },
      timing: this.timing,
    };
  }

  private async ask(
    { client }: GeminiErrand,
    attempt: GeminiAttempt,
    texts: readonly string[],
    purpose: EmbeddingPurpose,
  ): Promise<number[][]> {
    const { embeddings = [] } = await attempt.until(
      client.models.embedContent(this.parameters(attempt, texts, purpose)),
    );
    const vectors = embeddings.map(({ values = [] }) => values);
    const isWhole =
      vectors.length === texts.length && vectors.every(({ length }) => length === this.dimensions);
    if (!isWhole) throw new TypeError(`not a vector of ${String(this.dimensions)} numbers for each text`);
    attempt.end('complete');
    return vectors;
  }

  private parameters(
    attempt: GeminiAttempt,
    texts: readonly string[],
    purpose: EmbeddingPurpose,
  ): EmbedContentParameters {
    return {
      model: this.name,
      contents: [...texts],
      config: {
        taskType: purpose === 'query' ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT',
        outputDimensionality: this.dimensions,
        abortSignal: attempt.signal,
        httpOptions: { fetch: attempt.fetch },
      },
    };
  }
}
