/** What a text is embedded for: to be found, or to find others. Some models tell the two apart. */
export type EmbeddingPurpose = 'document' | 'query';

/**
 * Turns texts into vectors, so that texts of like meaning are near each other.
 *
 * Its own container identifier: `bind(Embedder).toConstantValue(new GeminiEmbedder())`.
 */
export abstract class Embedder {
  /** The model. Vectors of embedders with different names, or dimensions, are never compared. */
  abstract readonly name: string;
  /** How many numbers each vector has. */
  abstract readonly dimensions: number;

  /** The cosine, from -1 to 1, below which two texts have nothing to do with each other: a matter of the model. */
  get minScore(): number {
    return 0;
  }

  /**
   * One vector for each text, in their order; of any length, since only their directions are compared.
   *
   * @param purpose `document` unless said
   */
  abstract embed(texts: readonly string[], purpose?: EmbeddingPurpose): Promise<number[][]>;
}
