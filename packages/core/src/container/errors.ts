import { AdornError } from '../errors/adorn.error.js';

/** A dependency that cannot be given: who asks, by which member, for which service, and what leads there. */
export interface Dependency {
  readonly asker: string;
  readonly member: string;
  readonly service: string;
  /** From the class of the agent tree to the service, both included. */
  readonly path: readonly string[];
}

/** A class asks the container for something that nobody bound. */
export class ServiceNotBoundError extends AdornError {
  readonly code = 'SERVICE_NOT_BOUND';

  /** @param nature what the service is known to be, where that is why it cannot be made: `an abstract class` */
  constructor({ asker, member, service, path }: Dependency, nature?: string, options?: ErrorOptions) {
    const known = nature === undefined ? '' : `, which is ${nature}`;
    super(
      `${asker} asks for ${service} (${member})${known}, and nothing is bound to it.${pathSentence(path)} Bind it in a module: ` +
        `createRunner(Agent, { modules: [new ContainerModule(({ bind }) => { bind(${service}).to(…); })] }).`,
      options,
    );
  }
}

/** A service is bound more than once, so the container cannot choose. */
export class ServiceAmbiguousError extends AdornError {
  readonly code = 'SERVICE_AMBIGUOUS';

  constructor({ asker, service, path }: Dependency, options?: ErrorOptions) {
    super(
      `${asker} asks for ${service}, and more than one binding of it applies.${pathSentence(path)} Bind it once, or replace ` +
        `the first binding: rebind(${service}).to(…).`,
      options,
    );
  }
}

/** Services ask for each other in a circle, so none of them can be made first. */
export class ServiceCircleError extends AdornError {
  readonly code = 'SERVICE_CIRCULAR';

  /** @param circle the services, the first again at the end */
  constructor(circle: readonly string[], path: readonly string[], options?: ErrorOptions) {
    super(
      `Services ask for each other in a circle: ${circle.join(' → ')}.${pathSentence(path)} ` +
        'Take out what two of them need into a third, or hand one to the other by a method.',
      options,
    );
  }
}

/** A member does not say which service it wants, so nothing can be given to it. */
export class InjectionUnclearError extends AdornError {
  readonly code = 'SERVICE_NOT_BOUND';

  constructor(className: string, member: string, path: readonly string[], options?: ErrorOptions) {
    super(
      `${className} does not say what it wants as its ${member}: an interface is nothing at run time, and esbuild ` +
        `and tsx emit no types.${pathSentence(path, 1)} Write @inject(Token) before it.`,
      options,
    );
  }
}

/** The container refused a binding, or failed to make a service. */
export class ServiceFailedError extends AdornError {
  readonly code = 'SERVICE_FAILED';

  /** @param cause the container's error, whose words are quoted */
  constructor(className: string, cause: Error) {
    super(
      `The container failed for ${className}: ${cause.message.replace(/\s+/g, ' ').trim()} ` +
        'Correct the binding or the service that it names.',
      { cause },
    );
  }
}

/** @param told how many of the path the sentence before it names already */
function pathSentence(path: readonly string[], told = 2): string {
  return path.length > told ? ` Dependency path: ${path.join(' → ')}.` : '';
}

/** What was handed in as a container is none, or is one of another version. */
export class NotAContainerError extends AdornError {
  readonly code = 'NOT_A_CONTAINER';

  constructor() {
    super(
      "createRunner's container is not a container of inversify 8. " +
        'Pass one made by inversify 8, or leave it out and pass modules.',
    );
  }
}

/** Two plugins of a runner bear one name: one of them is there twice, or could not be told from the other. */
export class PluginNameTakenError extends AdornError {
  readonly code = 'PLUGIN_NAME_TAKEN';

  constructor(name: string) {
    super(
      `Two plugins are called "${name}". Bind or pass each plugin once, and give each a name of its own.`,
    );
  }
}
