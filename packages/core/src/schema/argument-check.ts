import type { ValidateFunction } from 'ajv';

import { type SchemaCompiler, schemaCompiler } from './ajv.js';
import { describeProblems } from './describe-problems.js';
import { PatternTimeout, withPatternTime } from './guarded-pattern.js';
import type { JsonSchema } from './json-schema.js';
import { Mender } from './mend/mender.js';
import { partCheck } from './part-check.js';

/** Arguments by name, as a model gave them. */
export type Arguments = Readonly<Record<string, unknown>>;

/** The arguments that fit, or everything that is wrong with them, a sentence each. */
export type CheckedArguments =
  | { readonly kind: 'valid'; readonly args: Arguments }
  | {
      readonly kind: 'invalid';
      readonly problems: readonly string[];
      /** Arguments that would fit, where the schema has an example. */
      readonly example?: Arguments;
    };

/** What is done about arguments that a tool does not have. */
export type UnknownArguments = 'refuse' | 'drop';

/** Checks the arguments of one tool; made once per tool. */
export type ArgumentCheck = (args: Arguments, unknown?: UnknownArguments) => CheckedArguments;

export interface ArgumentCheckOptions {
  /** The schema was seen to be sound when it was derived: it is compiled with the first call only. */
  readonly isKnownGood?: boolean;
  /** Arguments whose defaults the code that is called fills in itself. */
  readonly ownDefaults?: ReadonlySet<string>;
}

/** Of texts on which a pattern of the schema backtracks without an end. */
const TOO_SLOW = 'matching a text against its pattern takes too long: give a shorter or simpler text';

/** Of arguments without an end to their nesting, and of a schema that only refers to itself. */
const TOO_DEEP = 'the arguments are nested too deeply to be checked';

/**
 * The check of a tool's arguments. Arguments that fit are passed on as they are, with the schema's defaults filled
 * in; those that do not are mended on a copy where nothing else can be meant, and otherwise answered with every
 * problem.
 */
export async function compileArgumentCheck(
  schema: JsonSchema,
  options: ArgumentCheckOptions = {},
): Promise<ArgumentCheck> {
  const compile = await schemaCompiler(schema);
  let check = options.isKnownGood === true ? undefined : new CompiledCheck(schema, compile, options);
  return (args, unknown = 'refuse') => {
    try {
      check ??= new CompiledCheck(schema, compile, options);
      const compiled = check;
      return withPatternTime(() => compiled.check(args, unknown === 'drop'));
    } catch (error) {
      if (error instanceof PatternTimeout) return { kind: 'invalid', problems: [TOO_SLOW] };
      if (!(error instanceof RangeError)) throw error;
      return { kind: 'invalid', problems: [TOO_DEEP] };
    }
  };
}

/** How often what was mended is mended again, where one keyword's mending is another one's fault. */
const ROUNDS = 3;

class CompiledCheck {
  private readonly validate: ValidateFunction;
  private readonly fills: boolean;
  private readonly menders = new Map<string, Mender>();

  constructor(
    private readonly schema: JsonSchema,
    private readonly compile: SchemaCompiler,
    private readonly options: ArgumentCheckOptions,
  ) {
    this.validate = compile();
    this.fills = JSON.stringify(schema).includes('"default":');
  }

  check(args: Arguments, dropUnknown: boolean): CheckedArguments {
    if (this.validate(args)) return { kind: 'valid', args: this.fills ? this.filled(args) : args };
    for (const checkDefaults of this.fills ? [false, true] : [false]) {
      const mended = this.mend(args, { dropUnknown, checkDefaults });
      if (mended !== undefined && this.validate(mended)) return { kind: 'valid', args: mended };
    }
    const errors = this.validate.errors ?? [];
    const example = exampleIn(this.schema, (one) => this.validate(one));
    return {
      kind: 'invalid',
      problems: describeProblems(errors),
      ...(example !== undefined && { example }),
    };
  }

  /** A default that does not fit is left out rather than held against the model. */
  private filled(args: Arguments): Arguments {
    for (const checkDefaults of [false, true]) {
      const filled = this.mender(false, checkDefaults).mendAll(args) as Arguments;
      if (filled === args || this.validate(filled)) return filled;
    }
    return args;
  }

  /** Undefined where there is nothing to mend. */
  private mend(
    args: Arguments,
    { dropUnknown, checkDefaults }: { dropUnknown: boolean; checkDefaults: boolean },
  ): Arguments | undefined {
    const mender = this.mender(dropUnknown, checkDefaults);
    let mended: Arguments = args;
    for (let round = 0; round < ROUNDS; round++) {
      const next = mender.mendAll(mended) as Arguments;
      if (next === mended) break;
      mended = next;
    }
    return mended === args ? undefined : mended;
  }

  private mender(dropUnknown: boolean, checkDefaults: boolean): Mender {
    const key = `${String(dropUnknown)} ${String(checkDefaults)}`;
    const ownDefaults = this.options.ownDefaults ?? new Set<string>();
    const made =
      this.menders.get(key) ??
      new Mender(this.schema, partCheck(this.compile, this.schema), {
        dropUnknown,
        checkDefaults,
        ownDefaults,
      });
    this.menders.set(key, made);
    return made;
  }
}

type Example = Readonly<Record<string, unknown>>;

/** The first example of a schema that is an object and fits; undefined where there is none. */
function exampleIn({ examples }: JsonSchema, fits: (example: Example) => boolean): Example | undefined {
  return Array.isArray(examples) ? examples.filter(isObject).find(fits) : undefined;
}

function isObject(value: unknown): value is Example {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
