import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface KnownFault {
  readonly id: string;
  readonly fn: string;
  readonly kind: string;
}

/** Faults of other kinds are remarks about alternatives that the data has as well. */
const NO_SUCH_CALL: readonly string[] = ['no acceptable value validates', 'call does not validate'];

/** The expected calls that do not fit their own function's description. */
export class KnownFaults {
  private readonly calls: ReadonlySet<string>;

  constructor(faults: readonly KnownFault[]) {
    const real = faults.filter(({ kind }) => NO_SUCH_CALL.includes(kind));
    this.calls = new Set(real.map(({ id, fn }) => `${id} ${fn}`));
  }

  static read(folder: string): KnownFaults {
    return new KnownFaults(JSON.parse(readFileSync(join(folder, 'FAULTS.json'), 'utf8')) as KnownFault[]);
  }

  /** Whether a call of that function is known to be wrong in the question of that id. */
  has(id: string, functionName: string): boolean {
    return this.calls.has(`${id} ${functionName}`);
  }
}
