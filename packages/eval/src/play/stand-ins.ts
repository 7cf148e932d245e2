import { Deny, ToolError } from '@adorn/core';
import { isSameJson, type StandIns, type StoodInCall, ToolTimeoutError } from '@adorn/core/backend';

import type { ToolExecution } from '../conversation.js';
import type { EvalCase, EvalFault, ServiceFault, ToolStub } from '../eval-set.js';
import type { Life } from './life.js';

/** A function in place of a tool. */
export type StubFunction = (args: Readonly<Record<string, unknown>>) => unknown;

/** Functions in place of tools, by the names of the tools. */
export type Stubs = Readonly<Record<string, StubFunction>>;

/** How long a service that does not answer is said to have been waited for, in milliseconds. */
const TIMEOUT_MS = 30_000;

/** What runs in place of the tools and models of one case, whichever process of it is alive, and what ran. */
export class CaseStandIns {
  readonly executions: ToolExecution[] = [];
  /** The faults that have happened. */
  readonly happened = new Set<EvalFault>();
  private readonly calls = new Map<string, number>();

  constructor(
    private readonly evalCase: EvalCase,
    private readonly faults: readonly ServiceFault[],
    private readonly stubs: Stubs,
  ) {}

  /** Those of a process of the case. */
  of(life: Life): StandIns {
    return {
      runTool: (call, run) =>
        life.toolStep(
          call.tool,
          this.execute(call, () => life.step(this.result(call, run)), life),
        ),
      ...(this.faults.some(({ tool }) => tool === undefined) && {
        askModel: (model, request) => this.answer(() => model.generate(request)),
      }),
    };
  }

  private async execute(call: StoodInCall, run: () => Promise<unknown>, life: Life): Promise<unknown> {
    if (life.isOver) return run();
    const execution: ToolExecution = { ...call, ended: 'killed' };
    this.executions.push(execution);
    try {
      const result = await run();
      execution.ended = Deny.is(result) || result instanceof ToolError ? 'failed' : 'returned';
      return result;
    } catch (error) {
      if (execution.ended === 'killed') execution.ended = 'failed';
      throw error;
    }
  }

  private async result(call: StoodInCall, run: () => Promise<unknown>): Promise<unknown> {
    const { tool: name } = call;
    const fault = this.faultOf(name);
    const own = (): Promise<unknown> => this.stubbed(call, run);
    if (!fault) return own();
    this.happened.add(fault);
    if (fault.kind === 'lie') return fault.response ?? {};
    // The effect is there, and only the answer gets lost.
    if (fault.hasEffect === true) await own();
    switch (fault.kind) {
      case 'refuse':
        return new Deny(fault.reason ?? 'The service refuses this call.');
      case 'rateLimit':
        throw new ToolError('The service is rate limited (429). Try again later.', {
          mayHaveTakenEffect: fault.hasEffect === true,
        });
      case 'timeout':
        throw new ToolTimeoutError(name, TIMEOUT_MS);
    }
  }

  private async stubbed({ tool, args }: StoodInCall, run: () => Promise<unknown>): Promise<unknown> {
    const own = (this.evalCase.toolStubs ?? []).filter((stub) => stub.tool === tool);
    const stub = own.find((one) => fits(one, args));
    if (stub?.error !== undefined) throw new ToolError(stub.error);
    if (stub) return stub.response;
    const { [tool]: shared } = this.stubs;
    if (shared) return shared(args);
    if (own.length === 0) return run();
    throw new ToolError(`The case has no stub of ${tool} for ${JSON.stringify(args)}.`, { final: true });
  }

  /** A model that fails, or is slow, throws what a client of a provider throws. */
  private async *answer<Piece>(
    generate: () => AsyncGenerator<Piece, void, undefined>,
  ): AsyncGenerator<Piece, void, undefined> {
    const fault = this.faultOf(undefined);
    if (!fault) return yield* generate();
    this.happened.add(fault);
    switch (fault.kind) {
      case 'rateLimit':
        throw Object.assign(new Error('The model is rate limited.'), { status: 429 });
      case 'timeout':
        throw new DOMException('The model did not answer.', 'TimeoutError');
      default:
        throw Object.assign(new Error(fault.reason ?? 'The provider refuses the request.'), { status: 403 });
    }
  }

  /** The fault of this call of a tool, or of this request to a model. */
  private faultOf(tool: string | undefined): ServiceFault | undefined {
    const number = (this.calls.get(tool ?? '') ?? 0) + 1;
    this.calls.set(tool ?? '', number);
    return this.faults.find(({ tool: name, nth = 1, times = 1 }) => {
      return name === tool && number >= nth && number < nth + times;
    });
  }
}

/** True if the call has each argument that the stub names. */
function fits({ args = {} }: ToolStub, actual: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(args).every(([key, value]) => isSameJson(actual[key], value));
}
