import { agent, ContainerModule, inject, LlmAgent, tool, type ToolContext, ToolError } from 'adorn';

import { Loans } from './loans.js';
import { NightlySums } from './nightly-sums.js';

class Counter {
  constructor(@inject(Loans) private readonly loans: Loans) {}

  /**
   * Lends a book to the reader.
   *
   * @param title such as "Dune"
   * @param cents the fee
   */
  @tool({ effect: 'write', idempotent: true })
  lend(title: string, cents: number, context: ToolContext): string {
    const { tenant } = context.requester;
    if (tenant === undefined) throw new ToolError('The reader belongs to no library.');
    this.loans.add({ id: context.idempotencyKey, tenant, title, cents, at: new Date() });
    return `${title} is lent.`;
  }
}

/** Lends books. */
@agent({ model: 'gemini-2.5-flash', tools: [Counter] })
export class Desk extends LlmAgent {}

/** The services of the application. @param path of the file with its tables */
export function library(path: string): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(Loans)
      .toDynamicValue(() => new Loans(path))
      .inSingletonScope()
      .onDeactivation((loans) => {
        loans.close();
      });
    bind(NightlySums).toSelf().inSingletonScope();
  });
}
