import { AdornError } from '@adorn/core';
import { optionFault, type OptionRules, type Rule, wholeFrom } from '@adorn/core/backend';

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

const LIMITS: OptionRules<SandboxLimits> = {
  timeout: wholeFrom(1),
  memory: wholeFrom(1),
  maxOutput: wholeFrom(1),
  maxFiles: wholeFrom(1),
};

/** The rules of the options of an executor besides its limits. */
export type OtherRules<Options extends SandboxLimits> = OptionRules<Omit<Options, keyof SandboxLimits>>;

/**
 * Checks the options of an executor, and returns its limits with their defaults.
 *
 * @param others the rules of its options besides the limits
 * @throws {SandboxOptionInvalidError} for an option that does not exist, or that has a value that cannot be used
 */
export function checkLimits(
  executor: string,
  options: SandboxLimits,
  {
    memory: most,
    others = {},
  }: { readonly memory: number; readonly others?: Readonly<Record<string, Rule>> },
): CheckedLimits {
  const found = optionFault(options, { ...LIMITS, ...others });
  if (found) throw new SandboxOptionInvalidError(executor, found.fault, found.cure);
  const { timeout = 30_000, memory = most, maxOutput = MIB, maxFiles = 20 * MIB } = options;
  return { timeout, memory, maxOutput, maxFiles };
}

/** An option of a sandbox has a value that cannot be used. */
export class SandboxOptionInvalidError extends AdornError {
  readonly code = 'SANDBOX_OPTION_INVALID';

  /**
   * @param fault what is wrong, without its period
   * @param cure a sentence
   */
  constructor(executor: string, fault: string, cure?: string) {
    super(`The options of ${executor}() cannot be used: ${fault}.${cure === undefined ? '' : ` ${cure}`}`);
  }
}

/** An executor of `@adorn/sandbox` has failed, and not the code. */
export class SandboxFailedError extends AdornError {
  readonly code = 'SANDBOX_FAILED';

  constructor(executor: string, fault: string, options?: ErrorOptions) {
    super(`The sandbox ${executor} has failed: ${fault}.`, options);
  }
}
