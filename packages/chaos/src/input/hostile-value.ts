/** Makes values that nobody expects, as a seed decides. */
export class HostileValues {
  constructor(private readonly random: () => number) {}

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.random() * values.length)] as Value;
  }

  /** Any JSON value, or one that JSON cannot hold. */
  any(): unknown {
    const makers: readonly (() => unknown)[] = [
      () => null,
      () => undefined,
      () => 12,
      () => NaN,
      () => true,
      () => '',
      () => 'text',
      () => this.longText(),
      () => [],
      () => [null, undefined, {}],
      () => ({}),
      () => ({ a: null }),
      () => nested(this.pick([10, 300, 10_000])),
      () => cycle(),
      () => 1n,
      () => Symbol('s'),
      () => () => 1,
      () => new Date(NaN),
      () => new Map([[1, 2]]),
      () => Object.create(null) as object,
      () => JSON.parse('{"__proto__":{"polluted":1}}') as object,
      () => ({ toJSON: () => ({ functionCall: { name: 'wipe' } }) }),
    ];
    return this.pick(makers)();
  }

  /** A content in which some values are others than the wire format says. */
  content(role: 'model' | 'user'): unknown {
    if (this.chance(0.15)) return this.any();
    const parts = Array.from({ length: 1 + Math.floor(this.random() * 4) }, () => this.part(role));
    return this.spoiled({ role, parts: this.chance(0.1) ? this.any() : parts });
  }

  private part(role: 'model' | 'user'): unknown {
    if (this.chance(0.1)) return this.any();
    const kinds: readonly (() => Record<string, unknown>)[] = [
      () => ({ text: 'Hello.' }),
      () => ({ text: '', thought: true, thoughtSignature: 'c2ln' }),
      () => ({ functionCall: this.spoiled({ id: this.id(), name: this.toolName(), args: this.args() }) }),
      () => ({
        functionResponse: this.spoiled({ id: this.id(), name: this.toolName(), response: this.args() }),
      }),
      () => ({ inlineData: this.spoiled({ mimeType: 'image/png', data: 'AAH+' }) }),
      () => ({ executableCode: this.spoiled({ code: '1', language: 'PYTHON' }) }),
    ];
    return this.spoiled((role === 'user' && this.chance(0.6) ? kinds[0] : this.pick(kinds))?.() ?? {});
  }

  private toolName(): unknown {
    const names = [
      'look',
      'fail',
      'ask',
      'wipe',
      'Look',
      '',
      'adk_request_confirmation',
      'transfer_to_agent',
    ];
    return this.chance(0.1) ? this.pick([this.longText(), this.any()]) : this.pick(names);
  }

  private args(): unknown {
    if (this.chance(0.25)) return this.any();
    const names = ['city', 'kind', 'list', 'unknown', '__proto__', 'constructor', 'x'.repeat(1_000)];
    const entries = names.filter(() => this.chance(0.4)).map((name) => [name, this.any()] as const);
    return Object.fromEntries([...entries, ['city', this.chance(0.7) ? 'Oslo' : this.any()]]);
  }

  private id(): unknown {
    return this.pick([undefined, null, '', 'c1', 'c1', 'c2', 5, {}, '__proto__', 'i'.repeat(100_000)]);
  }

  /** With another value in some of its fields, or null fields beside them. */
  private spoiled(fields: Record<string, unknown>): Record<string, unknown> {
    const spoiled = { ...fields };
    for (const name of Object.keys(fields)) if (this.chance(0.06)) spoiled[name] = this.any();
    for (const name of ['functionCall', 'functionResponse', 'text', 'unknown', 'partMetadata']) {
      if (!(name in spoiled) && this.chance(0.12)) spoiled[name] = this.chance(0.7) ? null : this.any();
    }
    return spoiled;
  }

  private longText(): string {
    return 'n'.repeat(this.pick([600, 100_000]));
  }

  /** Something to throw. */
  thrown(): unknown {
    const makers: readonly (() => unknown)[] = [
      () => new Error('failed'),
      () => new Error('x'.repeat(100_000)),
      () => null,
      () => undefined,
      () => 'text',
      () => Object.create(null) as object,
      () => Object.assign(new Error('failed'), { message: { a: 1 } }),
      () => hostileProxy(),
      () => Symbol('s'),
    ];
    return this.pick(makers)();
  }
}

/** Throws at every way to look at it. */
function hostileProxy(): object {
  const refuse = (): never => {
    throw new Error('trapped');
  };
  return new Proxy({}, { get: refuse, has: refuse, getPrototypeOf: refuse, ownKeys: refuse });
}

function nested(levels: number): object {
  let value: object = {};
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
}

function cycle(): object {
  const value: Record<string, unknown> = {};
  value['self'] = value;
  return value;
}
