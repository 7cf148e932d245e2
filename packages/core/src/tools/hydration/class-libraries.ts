import type { ValidationError, ValidatorOptions } from 'class-validator';

import type { ClassReference } from '../../metadata/class-metadata.js';

/** The functions of class-transformer and class-validator that construct and check instances. */
export interface ClassLibraries {
  toInstance(type: ClassReference, value: object): object;
  /** True if the class has class-validator decorators; class-validator refuses instances of other classes. */
  hasRules(type: ClassReference): boolean;
  validate(instance: object, options: ValidatorOptions): Promise<ValidationError[]>;
}

let loading: Promise<ClassLibraries> | undefined;

/** Loads both libraries at the first call. */
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

/** A bundler may put the exports of a CommonJS module under `default` only. */
function exportsOf<Module extends object>(module: Module): Module {
  return (module as { readonly default?: Module }).default ?? module;
}
