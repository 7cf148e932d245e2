import type { ValidationError, ValidatorOptions } from 'class-validator';

import type { ClassReference } from '../../metadata/class-metadata.js';

/** class-transformer and class-validator, as far as instances are made and checked with them. */
export interface ClassLibraries {
  toInstance(type: ClassReference, value: object): object;
  /** Whether class-validator knows anything of a class: it refuses instances of one of which it knows nothing. */
  hasRules(type: ClassReference): boolean;
  validate(instance: object, options: ValidatorOptions): Promise<ValidationError[]>;
}

let loading: Promise<ClassLibraries> | undefined;

/** Loads both with the first call that needs them. */
export function classLibraries(): Promise<ClassLibraries> {
  return (loading ??= load());
}

async function load(): Promise<ClassLibraries> {
  const [{ plainToInstance }, { getMetadataStorage, validate }] = await Promise.all([
    import('class-transformer').then(exportsOf),
    import('class-validator').then(exportsOf),
  ]);
  return {
    // Properties that were not sent keep what the class itself gives them.
    toInstance: (type, value) =>
      plainToInstance(type as new () => object, value, { exposeUnsetFields: false }),
    hasRules: (type) => {
      const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
      return rules.length > 0;
    },
    validate,
  };
}

/** A bundler may put all that a CommonJS module exports under `default`, and there alone. */
function exportsOf<Module extends object>(module: Module): Module {
  return (module as { readonly default?: Module }).default ?? module;
}
