import { createRunner, defineAgent, type JsonSchema, type Model, type Runner } from '@adorn/core';

/** A model that judges answers, or plays a user: an agent with an output schema, so that what it says is checked and repaired. */
export class Judge {
  /** By their schemas. */
  private readonly runners = new Map<string, Promise<Runner<unknown>>>();

  constructor(
    private readonly model: Model,
    private readonly instruction: string,
    private readonly name = 'judge',
  ) {}

  /** Asks as often as there are samples, at once. */
  votes<Verdict>(
    question: Readonly<Record<string, string>>,
    schema: JsonSchema,
    samples: number,
  ): Promise<Verdict[]> {
    return Promise.all(Array.from({ length: samples }, () => this.ask<Verdict>(question, schema)));
  }

  /**
   * @param question what is judged, which is no instruction to the judge
   * @param schema the shape of the verdict
   * @throws what the run of the judge throws
   */
  async ask<Verdict>(question: Readonly<Record<string, string>>, schema: JsonSchema): Promise<Verdict> {
    const runner = await this.runnerFor(schema);
    const message = Object.entries(question)
      .map(([name, text]) => `<${name}>\n${text}\n</${name}>`)
      .join('\n');
    return (await runner.run({ userId: this.name, message }).output) as Verdict;
  }

  async close(): Promise<void> {
    const runners = [...this.runners.values()];
    this.runners.clear();
    for (const opened of runners) await (await opened.catch(() => undefined))?.close();
  }

  private runnerFor(schema: JsonSchema): Promise<Runner<unknown>> {
    const key = JSON.stringify(schema);
    let runner = this.runners.get(key);
    if (!runner) this.runners.set(key, (runner = this.open(schema)));
    return runner;
  }

  private open(outputSchema: JsonSchema): Promise<Runner<unknown>> {
    const { model, name } = this;
    return createRunner(defineAgent({ name, model, instruction: () => this.instruction, outputSchema }));
  }
}
