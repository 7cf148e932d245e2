import { Embedder } from 'adorn';

/** A model of `@energetic-ai/embeddings`, which reads English and runs in the process. */
export interface SentenceEncoder {
  embed(text: string): Promise<number[]>;
}

/** Google's Universal Sentence Encoder (lite), from a package that has its weights: no text leaves the process. */
export class SentenceEmbedder extends Embedder {
  readonly name = 'universal-sentence-encoder-lite';
  readonly dimensions = 512;

  constructor(private readonly encoder: SentenceEncoder) {
    super();
  }

  /** Measured on 1,249 questions: 72 % of the tools are below it, and the tool that is needed for 29 of the questions. */
  override get minScore(): number {
    return 0.25;
  }

  async embed(texts: readonly string[]): Promise<number[][]> {
    const vectors: number[][] = [];
    for (const text of texts) vectors.push(await this.encoder.embed(text));
    return vectors;
  }
}
