import type { ClassReference } from '../metadata/class-metadata.js';

/** What class-validator keeps on the global object, for all its copies in a process. */
interface Registry {
  readonly validationMetadatas?: ReadonlyMap<unknown, unknown>;
}

/**
 * The class of that name to which class-validator has decorators, itself not being loaded for it. Undefined where
 * there is none, and where several bear the name.
 */
export function registeredClass(name: string): ClassReference | undefined {
  const registry = (globalThis as { readonly classValidatorMetadataStorage?: Registry })
    .classValidatorMetadataStorage;
  const [found, ...others] = [...(registry?.validationMetadatas?.keys() ?? [])].filter(
    (target): target is ClassReference => typeof target === 'function' && target.name === name,
  );
  return others.length === 0 ? found : undefined;
}
