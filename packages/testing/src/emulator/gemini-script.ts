import { EmulatorExhaustedError, EmulatorLeftOverError } from './errors.js';
import type { GeminiRequest } from './gemini-request.js';
import type { GeminiStep } from './gemini-step.js';
import { plays, type RecordedExchange } from './recorded-exchange.js';

/** One entry of a script: a step, or a recorded exchange. */
export type GeminiScriptEntry = GeminiStep | RecordedExchange;

/** The script of the emulator: a list of entries, or a function of each request. */
export type GeminiScript =
  readonly GeminiScriptEntry[] | ((request: GeminiRequest) => GeminiScriptEntry | Promise<GeminiScriptEntry>);

/** Plays a script, and records deviations from it. */
export class ScriptReader {
  private taken = 0;
  private readonly faults: Error[] = [];

  constructor(private readonly script: GeminiScript) {}

  /** The step for this request. Throws if there is none, and records the fault. */
  async next(request: GeminiRequest): Promise<GeminiStep> {
    try {
      return asStep(await this.entryFor(request));
    } catch (error) {
      const fault = error instanceof Error ? error : new Error(String(error));
      this.faults.push(fault);
      throw fault;
    }
  }

  /** Throws the first fault, or an error if steps are left. */
  assertDone(): void {
    if (this.faults[0]) throw this.faults[0];
    if (typeof this.script === 'function' || this.taken >= this.script.length) return;
    throw new EmulatorLeftOverError(this.taken, this.script.length);
  }

  private entryFor(request: GeminiRequest): GeminiScriptEntry | Promise<GeminiScriptEntry> {
    if (typeof this.script === 'function') return this.script(request);
    const entry = this.script[this.taken];
    if (!entry) throw new EmulatorExhaustedError(request, this.script.length);
    this.taken += 1;
    return entry;
  }
}

function asStep(entry: GeminiScriptEntry): GeminiStep {
  return 'kind' in entry ? entry : plays(entry);
}
