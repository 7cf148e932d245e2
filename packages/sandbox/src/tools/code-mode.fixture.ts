import { runInNewContext } from 'node:vm';

import { says } from '@adorn/testing';

import { Model, type ModelRequest, type ModelResponse } from '@adorn/core';
import { type CodeExecutionInput, type CodeExecutionResult, CodeExecutor } from '@adorn/core/backend';

/** Answers by the number of its answers so far, in whatever process. */
export class RepeatingModel extends Model {
  readonly name = 'repeating';
  private readonly steps: readonly ModelResponse[];

  constructor(...steps: readonly ModelResponse[]) {
    super();
    this.steps = steps;
  }

  override async *generate({ contents }: ModelRequest): AsyncGenerator<ModelResponse> {
    yield this.steps[contents.filter(({ role }) => role === 'model').length] ?? says('Too much.');
    await Promise.resolve();
  }
}

/** No sandbox: runs code in this process, for specs. */
export class VmExecutor extends CodeExecutor {
  readonly languages = ['javascript'];
  readonly isolation = 'none';
  readonly environment = 'It is JavaScript.';
  readonly timeout = 5_000;
  override readonly callsFunctions = true;
  failures = 0;

  async execute({ code, functions = {} }: CodeExecutionInput): Promise<CodeExecutionResult> {
    const copied = Object.entries(functions).map(([name, work]) => [
      name,
      async (args: Readonly<Record<string, unknown>>) => {
        const value = await work(args);
        if (this.failures-- > 0) throw new SandboxDown();
        return value;
      },
    ]);
    const world: object = Object.fromEntries(copied) as object;
    try {
      const value: unknown = await runInNewContext(`(async () => {${code}\n})()`, world);
      return { stdout: '', stderr: '', exitCode: 0, result: value };
    } catch (error) {
      if (error instanceof SandboxDown) throw error;
      return { stdout: '', stderr: `${String(error)}\n`, exitCode: 1 };
    }
  }
}

class SandboxDown extends Error {}
