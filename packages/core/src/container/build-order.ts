import type { Container, Newable } from 'inversify';

import type { Logger } from '../runtime/logger.js';

/**
 * Records the order in which services were constructed. They are disposed of in reverse order, so that dependencies
 * outlive their dependents. The container itself disposes in the order of binding, and stops at the first failure.
 */
export class BuildOrder {
  private readonly watched = new Set<unknown>();
  private readonly built = new Set<unknown>();

  constructor(private readonly container: Container) {}

  /** Notes when something is first made for the token. */
  watch(token: unknown): void {
    if (this.watched.has(token)) return;
    this.watched.add(token);
    this.container.onActivation(token as Newable, (_context, service) => {
      this.built.add(token);
      return service;
    });
  }

  /** Lets go of everything that this container made; a failure is logged and stops no other. */
  async dispose(logger: Logger): Promise<void> {
    let failed = false;
    for (const token of [...this.built].reverse()) {
      try {
        await this.container.unbindAsync(token as Newable);
      } catch (error) {
        failed = true;
        logger.error('a service failed while the runner was closed', { error });
      }
    }
    // A service that failed is bound still, and would be asked to end a second time.
    if (!failed) await this.container.unbindAllAsync();
  }
}
