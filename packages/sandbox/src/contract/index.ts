import type { CodeExecutionResult, CodeExecutor } from '@adorn/core/backend';

/** What the contract suite of an executor needs of a test runner: the globals of Jest and Vitest fit. */
interface TestRunner {
  readonly describe: (name: string, body: () => void) => void;
  readonly it: (name: string, body: () => Promise<void>, timeout?: number) => void;
  readonly expect: (value: unknown) => {
    toEqual(expected: unknown): void;
    toBe(expected: unknown): void;
    toContain(expected: string): void;
    toBeLessThan(expected: number): void;
  };
}

/** Programs in a language of the executor, one for each promise. */
export interface ContractPrograms {
  readonly language: string;
  /** Prints `hello` on `stdout`. */
  readonly hello: string;
  /** Prints `oops` on `stderr`, and ends well. */
  readonly warns: string;
  /** Fails with an error whose message is `bad idea`, in a function `risky`. */
  readonly fails: string;
  /** Never ends, without a pause. */
  readonly loops: string;
  /** Prints more than 100 MB. */
  readonly floods: string;
  /** Allocates memory without end. */
  readonly hoards: string;
  /** Prints the content of `in.csv`, and writes it to `out.csv`. */
  readonly copiesFile: string;
  /** Keeps 41 in a variable; then a second program prints the variable plus one. Only for a stateful executor. */
  readonly remembers?: readonly [string, string];
}

const SLOW = 120_000;

/**
 * The promises of every `CodeExecutor`. An executor whose isolation is missing on a machine has none to check.
 *
 * @param open makes an executor with this time limit in milliseconds, and 20,000 bytes of output
 * @param runner such as `{ describe, it, expect }` of Jest
 */
export function describeCodeExecutor(
  name: string,
  open: (limits: { readonly timeout: number; readonly maxOutput: number }) => CodeExecutor,
  programs: ContractPrograms,
  { describe, it, expect }: TestRunner,
): void {
  const run = async (code: string, more: object = {}, timeout = 20_000): Promise<CodeExecutionResult> => {
    await using executor = open({ timeout, maxOutput: 20_000 });
    await executor.ready();
    return await executor.execute({ code, language: programs.language, ...more });
  };

  describe(`${name}: the contract of a code executor`, () => {
    it(
      'returns what the code prints',
      async () => {
        const { stdout, stderr, exitCode } = await run(programs.hello);

        expect([stdout.trim(), stderr, exitCode]).toEqual(['hello', '', 0]);
      },
      SLOW,
    );

    it(
      'keeps the streams apart, and a warning is no failure',
      async () => {
        const { stdout, stderr, exitCode } = await run(programs.warns);

        expect([stdout.trim(), stderr.trim(), exitCode]).toEqual(['', 'oops', 0]);
      },
      SLOW,
    );

    it(
      'returns the trace of an error, without frames of its own',
      async () => {
        const { stderr, exitCode } = await run(programs.fails);

        expect(exitCode === 0).toBe(false);
        expect(stderr).toContain('bad idea');
        expect(stderr).toContain('risky');
        expect(/adorn|runner|prelude/i.test(stderr)).toBe(false);
      },
      SLOW,
    );

    it(
      'stops code at the time limit, and says so',
      async () => {
        const start = Date.now();
        const { stderr, exitCode, isTimeout } = await run(programs.loops, {}, 1_000);

        expect([exitCode, isTimeout]).toEqual([undefined, true]);
        expect(stderr).toContain('it took longer than 1000 ms');
        expect(Date.now() - start).toBeLessThan(30_000);
      },
      SLOW,
    );

    it(
      'keeps the beginning of a flood of output',
      async () => {
        const { stdout } = await run(programs.floods);

        expect(Buffer.byteLength(stdout)).toBeLessThan(21_000);
        expect(stdout.length > 10_000).toBe(true);
      },
      SLOW,
    );

    it(
      'ends code that takes too much memory, and the process lives',
      async () => {
        const before = process.memoryUsage().rss;
        const { exitCode, isTimeout } = await run(programs.hoards);

        expect(exitCode === 0).toBe(false);
        expect(isTimeout === true).toBe(false);
        expect(process.memoryUsage().rss - before).toBeLessThan(700 * 1024 * 1024);
      },
      SLOW,
    );

    it(
      'gives files to the code, and returns those that it writes',
      async () => {
        const data = Buffer.from('a,b\n1,2\n');
        const { stdout, files } = await run(programs.copiesFile, {
          files: [{ name: 'in.csv', mimeType: 'text/csv', data }],
        });

        expect(stdout.trim()).toBe('a,b\n1,2');
        const written = files?.map((file) => [file.name, file.mimeType, Buffer.from(file.data).toString()]);
        expect(written).toEqual([['out.csv', 'text/csv', 'a,b\n1,2\n']]);
      },
      SLOW,
    );

    it(
      'stops at a signal, with its reason',
      async () => {
        const reason = new Error('enough');
        const controller = new AbortController();
        setTimeout(() => {
          controller.abort(reason);
        }, 300);
        const thrown = await run(programs.loops, { signal: controller.signal }).catch(
          (error: unknown) => error,
        );

        expect(thrown).toBe(reason);
        const early = await run(programs.hello, { signal: AbortSignal.abort(reason) }).catch(
          (error: unknown) => error,
        );
        expect(early).toBe(reason);
      },
      SLOW,
    );

    it(
      'runs several at a time, each in a state of its own',
      async () => {
        await using executor = open({ timeout: 20_000, maxOutput: 20_000 });
        const { language } = programs;
        const results = await Promise.all(
          [programs.hello, programs.fails, programs.hello].map((code) =>
            executor.execute({ code, language }),
          ),
        );

        expect(results.map(({ exitCode }) => exitCode === 0)).toEqual([true, false, true]);
      },
      SLOW,
    );

    if (programs.remembers) {
      const [first, second] = programs.remembers;
      it(
        'keeps the state of an execution id, and of no other',
        async () => {
          await using executor = open({ timeout: 20_000, maxOutput: 20_000 });
          const { language } = programs;
          await executor.execute({ code: first, language, executionId: 'a' });
          const same = await executor.execute({ code: second, language, executionId: 'a' });
          const other = await executor.execute({ code: second, language, executionId: 'b' });
          const fresh = await executor.execute({ code: second, language });

          expect(same.stdout.trim()).toBe('42');
          expect([other.exitCode === 0, fresh.exitCode === 0]).toEqual([false, false]);
        },
        SLOW,
      );
    }
  });
}
