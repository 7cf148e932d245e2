import { sessionCompaction } from '@adorn/compaction';
import { createRunner, type Runner } from '@adorn/core';
import { liveSessions } from '@adorn/live';
import { toolPolicies } from '@adorn/policies';
import { isAgentClass } from '@adorn/core/backend';
import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost, ModuleRef, ModulesContainer } from '@nestjs/core';

import { toNodeHandler } from '../adapters/node-handler.js';
import { type AdornHandler, adornHandler } from '../adorn-handler.js';
import { checkHandlerOptions } from '../check-options.js';
import { NotFoundError, ServerOptionInvalidError } from '../errors.js';
import type { AppSource } from '../server-options.js';
import { ADORN_OPTIONS, type AdornModuleOptions } from './adorn-module-options.js';
import { nestServices } from './nest-services.js';

/** The agents of a Nest application, for its controllers and services. It is ready when the modules are initialised. */
@Injectable()
export class AdornService implements OnModuleInit, OnModuleDestroy {
  private readonly runners = new Map<string, Runner<unknown>>();
  /** The runners that were created here, and are closed here. */
  private readonly owned: Runner<unknown>[] = [];
  private handler: AdornHandler | undefined;

  constructor(
    @Inject(ADORN_OPTIONS) private readonly options: AdornModuleOptions,
    @Inject(ModuleRef) private readonly nest: ModuleRef,
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
  ) {}

  /**
   * The runner of an application.
   *
   * @param name default: the only one
   * @throws {NotFoundError} if there is none of that name, or the name is left out and there are several
   */
  runner(name?: string): Runner<unknown> {
    const runners = [...this.runners.values()];
    const found = name === undefined && runners.length === 1 ? runners[0] : this.runners.get(name ?? '');
    if (found !== undefined) return found;
    throw new NotFoundError(
      `App not found: ${name ?? '(no name)'}. There are: ${[...this.runners.keys()].join(', ')}.`,
    );
  }

  /** Creates the runners, once all providers of Nest exist, and mounts the endpoint. */
  async onModuleInit(): Promise<void> {
    const { apps, path = '/agents', runner: _runner, ...options } = this.options;
    checkHandlerOptions('AdornModule', options);
    requirePath(path);
    for (const source of [apps].flat()) await this.open(source);
    this.handler = await adornHandler([...this.runners.values()], options);
    // An application context without a server has no adapter that mounts anything.
    const { httpAdapter } = this.host as Partial<HttpAdapterHost>;
    httpAdapter?.use(path, toNodeHandler(this.handler));
  }

  /** Cancels the runs, and closes the runners that were created here, while the services of their tools still exist. */
  async onModuleDestroy(): Promise<void> {
    await this.handler?.close();
    await Promise.all(this.owned.map((runner) => runner.close()));
  }

  private async open(source: AppSource): Promise<void> {
    const runner = isAgentClass(source) ? await this.create(source) : source;
    this.runners.set(runner.appName, runner);
  }

  private async create(agent: Parameters<typeof createRunner>[0]): Promise<Runner<unknown>> {
    const { runner: given = {} } = this.options;
    const modules = [
      nestServices(this.modules, this.nest),
      ...(given.modules ?? []),
      toolPolicies,
      sessionCompaction,
      liveSessions,
    ];
    const runner: Runner<unknown> = await createRunner(agent, { ...given, modules });
    this.owned.push(runner);
    return runner;
  }
}

function requirePath(path: string): void {
  if (/^\/[^/].*[^/]$/.test(path)) return;
  const fault = `"path" is ${JSON.stringify(path)}`;
  throw new ServerOptionInvalidError('AdornModule', fault, 'Pass a path such as "/agents".');
}
