import { defineSlot } from '../metadata/class-metadata.js';
import type { ToolOptions } from './tool-options.js';
import type { ToolEffect } from './tool.js';

/** The options that `@tool` recorded for one method. */
export interface ToolMetadata {
  readonly method: string;
  readonly options: ToolOptions;
}

/** The `@tool` methods of a class by name, so that an override keeps its position and may redeclare its options. */
export type MarkedMethods = ReadonlyMap<string, ToolMetadata>;

export const TOOLS = defineSlot<MarkedMethods>({
  name: 'tools',
  empty: () => new Map(),
  overlay: (inherited, own) => {
    const all = new Map(inherited);
    for (const [method, marked] of own) {
      const base = inherited.get(method);
      const options = base === undefined ? marked.options : overrideOptions(base.options, marked.options);
      all.set(method, { method, options });
    }
    return all;
  },
});

/**
 * Merges the options of an overriding method with those of the overridden one. An override may be stricter than the
 * base. It is looser only if explicit: `confirm: false` does not ask, `auth: undefined` needs no credential, and a lower
 * `effect` needs `confirm: false` too.
 */
export function overrideOptions(base: ToolOptions, own: ToolOptions): ToolOptions {
  const { confirm: _confirm, effect: _effect, ...options } = { ...base, ...own };
  const confirm = confirmOf(base, own, options.parameters !== base.parameters);
  const effect = effectOf(base.effect, own);
  return { ...options, ...(confirm !== undefined && { confirm }), ...(effect !== undefined && { effect }) };
}

const EFFECTS: readonly (ToolEffect | undefined)[] = [undefined, 'read', 'write', 'destructive'];

function effectOf(
  base: ToolEffect | undefined,
  { effect = base, confirm }: ToolOptions,
): ToolEffect | undefined {
  return confirm !== false && EFFECTS.indexOf(effect) < EFFECTS.indexOf(base) ? base : effect;
}

type Confirm = ToolOptions['confirm'];
type Predicate = Exclude<Confirm, boolean | string | undefined>;

/** @param isReshaped the arguments come in another form, so that the base's predicate cannot read them */
function confirmOf(base: ToolOptions, own: ToolOptions, isReshaped: boolean): Confirm {
  const demanded = isReshaped && typeof base.confirm === 'function' ? true : base.confirm;
  if (own.confirm === undefined) {
    const isRaised = own.effect === 'destructive' && base.effect !== 'destructive';
    return isRaised && demanded === false ? undefined : demanded;
  }
  if (typeof own.confirm !== 'function') return own.confirm;
  const basic = demanded ?? base.effect === 'destructive';
  return basic === false ? own.confirm : eitherAsks(basic, own.confirm);
}

/** Asks if the base or the override asks, in the words of the override if it has any. */
function eitherAsks(base: boolean | string | Predicate, own: Predicate): Predicate {
  return async (...args) => {
    const demanded = typeof base === 'function' ? await base(...args) : base;
    const asked = await own(...args);
    return asked === false ? demanded : asked;
  };
}
