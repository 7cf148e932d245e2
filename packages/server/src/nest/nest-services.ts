import { ContainerModule, Runner } from '@adorn/core';
import type { Type } from '@nestjs/common';
import type { ModuleRef, ModulesContainer } from '@nestjs/core';

/**
 * Binds the providers of a Nest application as services of Adorn, under the same classes, so that tools inject them and may be
 * providers themselves. An instance is Nest's, and is asked for when it is needed. Providers of a request are left out: a
 * tool runs for a session, not for an HTTP request. Tokens that are no classes are bound by hand.
 */
export function nestServices(modules: ModulesContainer, nest: ModuleRef): ContainerModule {
  const classes = new Set<Type<object>>();
  for (const { providers } of modules.values())
    for (const [token, provider] of providers)
      if (typeof token === 'function' && provider.isDependencyTreeStatic() && !provider.isTransient)
        classes.add(token as Type<object>);
  // An application may provide its runner, which is no service of that runner.
  classes.delete(Runner);
  return new ContainerModule(({ bind }) => {
    for (const service of classes)
      bind(service).toDynamicValue(() => nest.get<object>(service, { strict: false }));
  });
}
