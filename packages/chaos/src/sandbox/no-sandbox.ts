import { spawnSync } from 'node:child_process';

import { type CodeExecutionInput, type CodeExecutionResult, CodeExecutor } from '@adorn/core/backend';

/** Code in a process of the host, without any sandbox: shows that an attack reaches what it aims at. */
export class NoSandbox extends CodeExecutor {
  readonly languages = ['javascript', 'python'];
  readonly isolation = 'none';
  readonly environment = '';
  readonly timeout = 20_000;

  async execute({ code, language }: CodeExecutionInput): Promise<CodeExecutionResult> {
    const [program, ...args] =
      language === 'python' ? ['python3', '-'] : [process.execPath, '--input-type=module', '-'];
    // The server of the host answers only while this process does not wait, so a connection is enough.
    const { stdout, stderr, status } = spawnSync(program, args, {
      input: code,
      encoding: 'utf8',
      timeout: this.timeout,
    });
    return { stdout, stderr, exitCode: status ?? 1 };
  }
}
