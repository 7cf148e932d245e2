import { createRunner, defineAgent, type JsonSchema, type Model, type Runner } from '@adorn/core';

/** A model that judges answers: an agent with an output schema, so that what it says is checked and repaired. */
export class Judge {
  private runner: Promise<Runner<unknown>> | undefined;

  constructor(
    private readonly model: Model,
    private readonly instruction: string,
    private readonly schema: JsonSchema,
  ) {}

  /**
   * @param question what is judged, which is no instruction to the judge
   * @throws what the run of the judge throws
   */
  async ask<Verdict>(question: Readonly<Record<string, string>>): Promise<Verdict> {
    this.runner ??= createRunner(
      defineAgent({
        name: 'judge',
        model: this.model,
        instruction: () => this.instruction,
        outputSchema: this.schema,
      }),
    );
    const runner = await this.runner;
    const message = Object.entries(question)
      .map(([name, text]) => `<${name}>\n${text}\n</${name}>`)
      .join('\n');
    return (await runner.run({ userId: 'judge', message }).output) as Verdict;
  }

  async close(): Promise<void> {
    const runner = await this.runner?.catch(() => undefined);
    this.runner = undefined;
    await runner?.close();
  }
}
