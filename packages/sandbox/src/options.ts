import { AdornError } from '@adorn/core';

/** The limits of one execution. */
export interface SandboxLimits {
  /** Milliseconds until the code is stopped. Default: 30,000. */
  readonly timeout?: number;
  /** Bytes of memory for the code. Default: see the executor. */
  readonly memory?: number;
  /** Bytes of `stdout` and of `stderr` that are kept. Default: 1 MiB each. */
  readonly maxOutput?: number;
  /** Bytes of the files that the code reads or writes, in all. Default: 20 MiB. */
  readonly maxFiles?: number;
}

export type CheckedLimits = Required<SandboxLimits>;

const MIB = 1024 * 1024;

/**
 * The limits with their defaults.
 *
 * @throws {SandboxOptionInvalidError} for an option that does not exist, or that is not a positive number
 */
export function checkLimits(
  executor: string,
  options: SandboxLimits,
  { memory: defaultMemory, others = [] }: { readonly memory: number; readonly others?: readonly string[] },
): CheckedLimits {
  const { timeout = 30_000, memory = defaultMemory, maxOutput = MIB, maxFiles = 20 * MIB } = options;
  const limits = { timeout, memory, maxOutput, maxFiles };
  const known = [...Object.keys(limits), ...others];
  for (const name of Object.keys(options))
    if (!known.includes(name))
      throw new SandboxOptionInvalidError(
        executor,
        `there is no option ${JSON.stringify(name)}. Options: ${known.join(', ')}`,
      );
  for (const [name, value] of Object.entries(limits))
    if (!Number.isInteger(value) || value <= 0)
      throw new SandboxOptionInvalidError(
        executor,
        `${name} is ${String(value)}, which is no whole number above 0`,
      );
  return limits;
}

/** An option of a sandbox has a value that cannot be used. */
export class SandboxOptionInvalidError extends AdornError {
  readonly code = 'SANDBOX_OPTION_INVALID';

  constructor(executor: string, fault: string) {
    super(`The options of ${executor}() cannot be used: ${fault}.`);
  }
}

/** An executor of `@adorn/sandbox` has failed, and not the code. */
export class SandboxFailedError extends AdornError {
  readonly code = 'SANDBOX_FAILED';

  constructor(executor: string, fault: string, options?: ErrorOptions) {
    super(`The sandbox ${executor} has failed: ${fault}.`, options);
  }
}
