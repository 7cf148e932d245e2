import { AdornError } from '@adorn/schema';

/** A dependency that cannot be resolved: the class that needs it, its member, the service, and the path to it. */
export interface Dependency {
  readonly asker: string;
  readonly member: string;
  readonly service: string;
  /** From the agent class or tool class to the service, both included. */
  readonly path: readonly string[];
  /** True for a class that may be constructed, unless it is abstract. Default: false. */
  readonly isMakeable?: boolean;
  /** A class of the tree that extends the service. Default: none is known. */
  readonly implementation?: string | undefined;
}

/** A class depends on a service that is not bound. */
export class ServiceNotBoundError extends AdornError {
  readonly code = 'SERVICE_NOT_BOUND';

  /** @param nature why the service cannot be constructed, such as `an abstract class` */
  constructor(dependency: Dependency, nature?: string, options?: ErrorOptions) {
    const { asker, member, service, path } = dependency;
    const known = nature === undefined ? '' : `, which is ${nature}`;
    super(
      `${asker} needs ${service} (${member})${known}, but nothing is bound to it.${pathSentence(path)} ` +
        `${cureOf(dependency)}.`,
      options,
    );
  }
}

function cureOf({ service, isMakeable = false, implementation }: Dependency): string {
  if (implementation !== undefined) return bindingCure(`bind(${service}).toService(${implementation})`);
  if (!isMakeable) return bindingCure(`bind(${service}).to(…)`);
  return `${bindingCure(`bind(${service}).toSelf().inSingletonScope()`)}; if it is abstract, bind(${service}).to(…)`;
}

/** A service is bound more than once, so the container cannot choose. */
export class ServiceAmbiguousError extends AdornError {
  readonly code = 'SERVICE_AMBIGUOUS';

  constructor({ asker, service, path }: Dependency, options?: ErrorOptions) {
    super(
      `${asker} needs ${service}, but more than one binding of it applies.${pathSentence(path)} Bind it once, or replace ` +
        `the first binding: rebind(${service}).to(…).`,
      options,
    );
  }
}

/** Services depend on each other in a cycle. */
export class ServiceCircleError extends AdornError {
  readonly code = 'SERVICE_CIRCULAR';

  /** @param circle the services of the cycle; the last one is the first again */
  constructor(circle: readonly string[], path: readonly string[], options?: ErrorOptions) {
    super(
      `Circular dependency: ${circle.join(' → ')}.${pathSentence(path)} ` +
        'Move what two of them need into a third service, or pass one to a method of the other.',
      options,
    );
  }
}

/** Nothing binds a class, and it cannot be constructed: a member does not say which service to inject. */
export class InjectionUnclearError extends AdornError {
  readonly code = 'SERVICE_NOT_BOUND';

  constructor(className: string, member: string, path: readonly string[], options?: ErrorOptions) {
    super(
      `Nothing is bound to ${className}, and it cannot be constructed: its ${member} does not say which service to inject.` +
        `${pathSentence(path, 1)} ${bindingCure(`bind(${className}).toConstantValue(new ${className}(…))`)}; or say it with ` +
        '@inject(Token): an interface does not exist at run time, and esbuild and tsx emit no types.',
      options,
    );
  }
}

/** The container refused a binding, or failed to construct a service. */
export class ServiceFailedError extends AdornError {
  readonly code = 'SERVICE_FAILED';

  /** @param cause the container's error, whose message is quoted */
  constructor(className: string, cause: Error) {
    super(
      `The container failed for ${className}: ${cause.message.replace(/\s+/g, ' ').trim()} ` +
        'Correct the binding or the service.',
      { cause },
    );
  }
}

/** How a service is bound, in a program and for the command line, without the full stop. */
function bindingCure(binding: string): string {
  return (
    `Bind it in a module: createRunner(Agent, { modules: [new ContainerModule(({ bind }) => { ${binding}; })] }), or, for the ` +
    'command line, export const modules = […] beside the agent'
  );
}

/** @param named how many services of the path the previous sentence names */
function pathSentence(path: readonly string[], named = 2): string {
  return path.length > named ? ` Dependency path: ${path.join(' → ')}.` : '';
}

/** The `container` option is not an inversify container, or one of another version. */
export class NotAContainerError extends AdornError {
  readonly code = 'NOT_A_CONTAINER';

  constructor() {
    super(
      'The container passed to createRunner is not an inversify 8 container. ' +
        'Pass a Container of inversify 8, or pass modules instead.',
    );
  }
}

/** What was passed or bound as a plugin is not one. */
export class PluginInvalidError extends AdornError {
  readonly code = 'PLUGIN_INVALID';

  constructor(found: string) {
    super(
      `createRunner: a plugin is ${found}. Pass an instance of a class that extends Plugin and has a name, such as ` +
        'plugins: [new LoggingPlugin()].',
    );
  }
}

/** A method of a plugin has almost the name of a callback: it would never be called. */
export class PluginCallbackUnknownError extends AdornError {
  readonly code = 'PLUGIN_INVALID';

  constructor(plugin: string, method: string, meant: string) {
    super(
      `The plugin "${plugin}" has a method ${method}, which is no callback and would never be called. ` +
        `Did you mean ${meant}? If it is a method of your own, give it another name.`,
    );
  }
}

/** Two plugins of a runner have the same name. */
export class PluginNameTakenError extends AdornError {
  readonly code = 'PLUGIN_NAME_TAKEN';

  constructor(name: string) {
    super(`Two plugins are named "${name}". Bind or pass each plugin once, and give each its own name.`);
  }
}
