import { AdornError, type ClassReference } from '@adorn/schema';

/** The version of this package; a spec compares it with package.json. */
const VERSION = '0.1.0';

/** A loaded copy of this package. One process may hold several: installed twice, or also bundled. */
export interface PackageCopy {
  readonly version: string;
  /** The file that holds its code. */
  readonly location: string;
  /** Its shared classes by name. */
  readonly classes: ReadonlyMap<string, ClassReference>;
}

const classes = new Map<string, ClassReference>();

const THIS_COPY: PackageCopy = {
  version: VERSION,
  get location() {
    return locationOf(new Error().stack);
  },
  classes,
};

/** All copies of the process, which share this list by the name of its symbol. */
const copies: PackageCopy[] = ((globalThis as Record<symbol, unknown>)[Symbol.for('adorn:copies')] ??=
  []) as PackageCopy[];
copies.push(THIS_COPY);

/** On a shared class: its name. On its prototype: the copy that declares it, under a symbol per name. */
const NAME = Symbol.for('adorn:class');

/**
 * Shares a class among the copies of this package, from a static block of the class: its container token stands for
 * the same service in each of them, see {@link localToken}, and `instanceof` recognises the instances of every
 * compatible copy. It throws for those of an incompatible copy.
 */
export function shareClass(target: ClassReference, name: string): void {
  const key = Symbol.for(`adorn:copy-of:${name}`);
  classes.set(name, target);
  Object.defineProperty(target, NAME, { value: name });
  Object.defineProperty(target.prototype, key, { value: THIS_COPY });
  Object.defineProperty(target, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      // Subclasses inherit this method.
      if (this !== target) return Reflect.apply(isInstance, this, [value]);
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
      const copy = Reflect.get(value, key) as PackageCopy | undefined;
      if (copy) requireCompatible(name, copy);
      return copy !== undefined;
    },
  });
}

const isInstance = Function.prototype[Symbol.hasInstance];

/** The shared class of the instance's own copy: `sharedBase(LlmAgent, definition)`. */
export function sharedBase<Target extends ClassReference>(target: Target, instance: object): Target {
  const name = sharedName(target) ?? '';
  const copy = Reflect.get(instance, Symbol.for(`adorn:copy-of:${name}`)) as PackageCopy | undefined;
  return (copy?.classes.get(name) ?? target) as Target;
}

/** True for a shared class of any copy; false for its subclasses. */
export function isShared(token: unknown): boolean {
  return sharedName(token) !== undefined;
}

/**
 * The class of this copy for a token that is a shared class of any copy; any other token itself.
 *
 * @throws {CopiesIncompatibleError}
 */
export function localToken(token: unknown): unknown {
  const name = sharedName(token);
  const own = name === undefined ? undefined : classes.get(name);
  if (name === undefined || !own || own === token) return token;
  const copy = copies.find((one) => one.classes.get(name) === token);
  if (copy) requireCompatible(name, copy);
  return own;
}

/** The shared classes of this copy, each with its counterparts in the other copies of the process. */
export function foreignClasses(): [own: ClassReference, others: readonly ClassReference[]][] {
  const others = copies.filter((copy) => copy !== THIS_COPY);
  if (others.length === 0) return [];
  return [...classes].map(([name, own]) => [own, others.flatMap((copy) => copy.classes.get(name) ?? [])]);
}

function sharedName(token: unknown): string | undefined {
  if (typeof token !== 'function' || !Object.hasOwn(token, NAME)) return undefined;
  return Reflect.get(token, NAME) as string;
}

function requireCompatible(name: string, copy: PackageCopy): void {
  if (lineOf(copy.version) !== lineOf(VERSION)) throw new CopiesIncompatibleError(name, copy);
}

/** The part of a version in which a change may be incompatible: `1` of 1.4.2, `0.1` of 0.1.4. */
function lineOf(version: string): string | undefined {
  return /^(?:0\.)*\d+/.exec(version)?.[0];
}

/** The file of the topmost frame of a stack. */
function locationOf(stack = ''): string {
  return /(?:\(|\bat |@)([^\s()]+?)(?::\d+)*\)?$/m.exec(stack)?.[1] ?? 'an unknown file';
}

/** Code of two versions of this package that are not compatible was given to one runner. */
class CopiesIncompatibleError extends AdornError {
  readonly code = 'CORE_COPIES_INCOMPATIBLE';

  constructor(name: string, other: PackageCopy) {
    super(
      `A ${name} of @adorn/core ${other.version} (${other.location}) was given to @adorn/core ${VERSION} ` +
        `(${THIS_COPY.location}), which is not compatible with it. Install one version for both: ` +
        '"npm ls @adorn/core" shows which packages ask for which.',
    );
  }
}
