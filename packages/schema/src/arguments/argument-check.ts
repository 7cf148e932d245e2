import { present } from '../json/present.js';
import {
  isPlain,
  partCheck,
  PatternTimeout,
  type SchemaCompiler,
  schemaCompiler,
  type Validate,
  withPatternTime,
} from './ajv.js';
import { describeProblems } from './describe-problems.js';
import type { JsonSchema } from '../reader/schema-parts.js';
import { ArgumentCoercer, type CoercionOptions } from './argument-coercer.js';

/** The arguments of a call by name, as the model gave them. */
export type Arguments = Readonly<Record<string, unknown>>;

/** Valid arguments, or the list of problems, one sentence each. */
export type CheckedArguments =
  | { readonly kind: 'valid'; readonly args: Arguments }
  | {
      readonly kind: 'invalid';
      readonly problems: readonly string[];
      /** Valid arguments, if the schema has an example. */
      readonly example?: Arguments;
    };

/** What to do with arguments that the schema does not declare. */
export type UnknownArguments = 'refuse' | 'drop';

/** Checks the arguments of one tool. Compiled once per tool. */
export type ArgumentCheck = (args: Arguments, unknown?: UnknownArguments) => CheckedArguments;

/** How the arguments of a call are checked. */
export interface ArgumentCheckOptions {
  /** The schema was validated when it was derived. */
  readonly isKnownGood?: boolean;
  /** Arguments whose defaults the called code fills in itself. */
  readonly ownDefaults?: ReadonlySet<string>;
}

/** The problem of a string on which a pattern backtracks for too long. */
const TOO_SLOW = 'matching a text against its pattern takes too long: give a shorter or simpler text';

/** The problem of arguments that are nested too deeply, or of a schema that only refers to itself. */
const TOO_DEEP = 'the arguments are nested too deeply to be checked';

/**
 * The check of a tool's arguments, compiled at the first call if it surely can be. Valid arguments are passed on with the
 * schema's defaults filled in. Others are coerced in a copy where the intent is unambiguous; if they are still invalid, all
 * problems are returned.
 */
export async function compileArgumentCheck(
  schema: JsonSchema,
  options: ArgumentCheckOptions = {},
): Promise<ArgumentCheck> {
  const compile = await schemaCompiler(schema, options);
  const isSure = options.isKnownGood === true || isPlain(schema);
  let check = isSure ? undefined : new CompiledCheck(schema, compile, options);
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

/** How many rounds of coercion are tried: the coercion for one keyword may violate another. */
const ROUNDS = 3;

type Way = Omit<CoercionOptions, 'ownDefaults'>;

class CompiledCheck {
  private readonly validate: Validate;
  private readonly fills: boolean;
  private readonly coercers = new Map<string, ArgumentCoercer>();

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
    for (const way of this.waysToCoerce(dropUnknown)) {
      const coerced = this.coerced(args, way);
      if (coerced && this.validate(coerced)) return { kind: 'valid', args: coerced };
    }
    const errors = this.validate.errors ?? [];
    const example = exampleIn(this.schema, (one) => this.validate(one));
    return present({ kind: 'invalid', problems: describeProblems(errors), example });
  }

  /** Names are respelled last, because that may select another member of a union; but before they are dropped. */
  private waysToCoerce(dropUnknown: boolean): Way[] {
    return (dropUnknown ? [true] : [false, true]).flatMap((respell) =>
      (this.fills ? [false, true] : [false]).map((checkDefaults) => ({
        dropUnknown,
        checkDefaults,
        respell,
      })),
    );
  }

  /** Fills in defaults; leaves out defaults that are themselves invalid. */
  private filled(args: Arguments): Arguments {
    for (const checkDefaults of [false, true]) {
      const coercer = this.coercer({ dropUnknown: false, checkDefaults, respell: false });
      const filled = coercer.coerceArguments(args) as Arguments;
      if (filled === args || this.validate(filled)) return filled;
    }
    return args;
  }

  /** Undefined if nothing can be coerced. */
  private coerced(args: Arguments, way: Way): Arguments | undefined {
    const coercer = this.coercer(way);
    let coerced: Arguments = args;
    for (let round = 0; round < ROUNDS; round++) {
      const next = coercer.coerceArguments(coerced) as Arguments;
      if (next === coerced) break;
      coerced = next;
    }
    return coerced === args ? undefined : coerced;
  }

  private coercer(way: Way): ArgumentCoercer {
    // eslint-disable-next-line adorn/composed-keys -- each part is true, false or a fixed word
    const key = [way.dropUnknown, way.checkDefaults, way.respell].join(' ');
    const ownDefaults = this.options.ownDefaults ?? new Set<string>();
    const made =
      this.coercers.get(key) ??
      new ArgumentCoercer(this.schema, partCheck(this.compile, this.schema), {
        ...way,
        ownDefaults,
      });
    this.coercers.set(key, made);
    return made;
  }
}

type Example = Readonly<Record<string, unknown>>;

/** The first example of a schema that is an object and fits; undefined if there is none. */
function exampleIn({ examples }: JsonSchema, fits: (example: Example) => boolean): Example | undefined {
  return Array.isArray(examples) ? examples.filter(isObject).find(fits) : undefined;
}

function isObject(value: unknown): value is Example {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
