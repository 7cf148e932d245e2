import { type CodeExecutionInput, type CodeExecutionResult, CodeExecutor } from '@adorn/core/backend';
import { Script } from './script.js';

const TOOLS = new Map([
  ['look_up', 'look up'],
  ['pay', 'pay'],
]);

describe('a script', () => {
  it('is run as JavaScript with a function for each tool, and has the result of its sandbox', async () => {
    const { script, inputs } = start(() => Promise.resolve(resultOf(7)));

    expect(await script.hasMade(1)).toBe(false);
    expect(await script.end()).toEqual(resultOf(7));
    expect(inputs).toMatchObject([{ code: 'the code', language: 'javascript' }]);
    expect(Object.keys(inputs[0]?.functions ?? {})).toEqual(['look_up', 'pay']);
    expect(inputs[0]?.signal?.aborted).toBe(false);
  });

  it('makes calls of tools, one after another, and gets their results and errors', async () => {
    const { script } = start(async ({ look_up, pay }) => {
      const first = await look_up({ id: 1 });
      const error = await pay({ id: 2 }).catch((thrown: unknown) => thrown);
      return resultOf([first, String(error)]);
    });

    expect(await script.hasMade(1)).toBe(true);
    expect(script.calls.map(({ tool, args }) => [tool, args])).toEqual([['look up', { id: 1 }]]);
    script.calls[0]?.resolve(10);
    script.answered++;
    expect(await script.hasMade(2)).toBe(true);
    script.calls[1]?.reject('too expensive');
    script.answered++;

    expect(await script.hasMade(3)).toBe(false);
    expect((await script.end()).result).toEqual([10, 'Error: too expensive']);
  });

  it('makes the calls of a time together', async () => {
    const { script } = start(async ({ look_up }) => {
      const late = Promise.resolve().then(() => look_up({ id: 3 }));
      return resultOf(await Promise.all([look_up({ id: 1 }), look_up({ id: 2 }), late]));
    });

    await script.hasMade(1);

    expect(script.calls.map(({ args }) => args['id'])).toEqual([1, 2, 3]);
  });

  it('keeps the arguments as they were', async () => {
    const args = { ids: [1] };
    const { script } = start(async ({ look_up }) => {
      const call = look_up(args);
      args.ids.push(2);
      return resultOf(await call);
    });
    await script.hasMade(1);

    expect(script.calls[0]?.args).toEqual({ ids: [1] });
    expect(Object.isFrozen(script.calls[0]?.args)).toBe(true);
  });

  it.each([undefined, null, 7, 'text', [1]])('makes no call with %j instead of an object', async (said) => {
    const { script } = start(async ({ look_up }) =>
      resultOf(
        await Promise.resolve()
          .then(() => look_up(said))
          .catch(String),
      ),
    );

    expect(await script.hasMade(1)).toBe(false);
    expect((await script.end()).result).toBe('TypeError: look_up takes one object: look_up({ … })');
  });

  it('is stopped where it makes more calls than it may, whatever it makes of that', async () => {
    const { script, inputs } = start(async ({ look_up }) => {
      for (const id of [1, 2]) void look_up({ id });
      await Promise.resolve()
        .then(() => look_up({ id: 3 }))
        .catch(() => undefined);
      return resultOf('went on');
    }, 2);

    expect(await script.hasMade(3)).toBe(false);
    expect(script.calls).toHaveLength(2);
    expect(await script.end()).toEqual({
      stdout: '',
      stderr: 'The script was stopped: it made more than 2 calls.\n',
      exitCode: 1,
    });
    expect(inputs[0]?.signal?.reason).toEqual(new Error('the script was stopped'));
  });

  it('may make as many calls as it may', async () => {
    const { script } = start(async ({ look_up }) => resultOf(await look_up({ id: 1 })), 1);
    await script.hasMade(1);
    script.calls[0]?.resolve('found');

    expect((await script.end()).result).toBe('found');
  });

  it('fails with its sandbox, which is told to nobody who does not ask', async () => {
    const fault = new Error('no worker');
    const { script } = start(() => Promise.reject(fault));

    expect(await script.hasMade(1)).toBe(false);
    await expect(script.end()).rejects.toBe(fault);
  });

  it('stops its sandbox', () => {
    const { script, inputs } = start(() => new Promise(() => undefined));
    script.stop();

    expect(inputs[0]?.signal?.aborted).toBe(true);
  });
});

type Functions = Readonly<Record<'look_up' | 'pay', (args: unknown) => Promise<unknown>>>;

function start(work: (functions: Functions) => Promise<CodeExecutionResult>, maxCalls = 10) {
  const executor = new WorkingExecutor(work);
  return { script: new Script('the code', TOOLS, { executor, maxCalls }), inputs: executor.inputs };
}

/** Does in this process what code would do. */
class WorkingExecutor extends CodeExecutor {
  readonly languages = ['javascript'];
  readonly isolation = 'none';
  readonly environment = 'It is JavaScript.';
  readonly timeout = 1_000;
  readonly inputs: CodeExecutionInput[] = [];

  constructor(private readonly work: (functions: Functions) => Promise<CodeExecutionResult>) {
    super();
  }

  execute(input: CodeExecutionInput): Promise<CodeExecutionResult> {
    this.inputs.push(input);
    return this.work(input.functions as unknown as Functions);
  }
}

function resultOf(result: unknown): CodeExecutionResult {
  return { stdout: '', stderr: '', exitCode: 0, result };
}
