import {
  type CallbackContext,
  Clock,
  ContainerModule,
  type Event,
  type Logger,
  type ModelRequest,
  type ModelResponse,
  Plugin,
  type ReadonlyContext,
} from '@adorn/core';
import {
  checkOptions,
  checkPrices,
  costOfUsage,
  LIMIT,
  modelNamesIn,
  type ModelPrices,
  OBJECT,
  oneOf,
  type OptionRules,
  type PluginHost,
  priceOf,
  PUBLISHED_PRICES,
} from '@adorn/core/backend';
import { Database } from '@adorn/storage';
import { sql } from 'kysely';

import { digestOfNames } from './digest.js';

/** What may be spent in a period. */
export interface SharedBudget {
  /** US dollars, by the prices. */
  readonly usd?: number;
  /** Tokens of requests and answers, as the models report them. */
  readonly tokens?: number;
}

/** The options of `sharedBudgets`. */
export interface SharedBudgetsOptions {
  /** Of each user of the application. Default: none. */
  readonly user?: SharedBudget;
  /** Of the tenant of each principal that has one. Default: none. */
  readonly tenant?: SharedBudget;
  /** Of the application. Default: none. */
  readonly application?: SharedBudget;
  /** After which time all begin anew: at midnight UTC, or at that of the first of the month. Default: `day`. */
  readonly per?: 'day' | 'month';
  /**
   * Prices by the beginnings of models' names, beside those that are published. A model without one ends the run with
   * `BUDGET_UNAVAILABLE` where a budget has `usd`.
   */
  readonly prices?: ModelPrices;
}

/** The key of an event's custom metadata for what its model call cost: `{ usd }`. */
export const COST = 'budgets:cost';

/** The key of the advisory lock under which the table is made. */
const LOCK = 4_129_889_220;

/**
 * Limits what users, tenants and the application spend on models in a day or a month, on all machines that share a
 * database: `createRunner(Root, { modules: [sqlStorage(url), sharedBudgets({ user: { usd: 2 } })] })`. It is looked at
 * before each model call; calls that are under way at the same time may exceed it. A run that reaches a limit ends with the
 * event `BUDGET_SPENT`, whose message the user may read. If the database does not answer, no model is asked:
 * `BUDGET_UNAVAILABLE`.
 *
 * @throws {AdornError} `OPTION_INVALID`
 */
export function sharedBudgets(options: SharedBudgetsOptions): ContainerModule {
  checkOptions('sharedBudgets', options, OPTIONS);
  for (const owner of ['user', 'tenant', 'application'] as const)
    if (options[owner]) checkOptions(`${owner} of sharedBudgets`, options[owner], BUDGET);
  if (options.prices) checkPrices('the prices of sharedBudgets', options.prices);
  return new ContainerModule(({ bind }) => {
    bind(Plugin)
      .toDynamicValue(async (context) => {
        const clock = context.get(Clock);
        const budgets = new SharedBudgetsPlugin(await context.getAsync(Database), clock, options);
        await budgets.open();
        return budgets;
      })
      .inSingletonScope();
  });
}

const OPTIONS: OptionRules<SharedBudgetsOptions> = {
  user: OBJECT,
  tenant: OBJECT,
  application: OBJECT,
  per: oneOf('day', 'month'),
  prices: OBJECT,
};

const BUDGET: OptionRules<SharedBudget> = { usd: LIMIT, tokens: LIMIT };

/** Whose budget it is. */
type Owner = 'user' | 'tenant' | 'application';

/** A row of what was spent. */
interface Account {
  readonly owner: Owner;
  readonly budget: SharedBudget;
  readonly key: string;
}

/** What was spent, and could not be written yet. */
interface Spending {
  readonly keys: readonly string[];
  readonly period: string;
  readonly usd: number;
  readonly tokens: number;
}

class SharedBudgetsPlugin extends Plugin {
  readonly name = 'shared_budgets';
  private readonly prices: ModelPrices;
  private models: ReadonlyMap<string, string> = new Map();
  private logger: Logger | undefined;
  private appName = '';
  /** Written before the next model call, which is not made otherwise. */
  private unwritten: Spending[] = [];

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly options: SharedBudgetsOptions,
  ) {
    super();
    this.prices = { ...PUBLISHED_PRICES, ...options.prices };
  }

  /** Makes the table. */
  async open(): Promise<void> {
    await this.database.transaction(async (queries) => {
      if (this.database.dialect === 'postgres')
        await sql`select pg_advisory_xact_lock(${LOCK})`.execute(queries);
      await sql`create table if not exists adorn_spending (
        key text not null, period text not null, usd double precision not null, tokens double precision not null,
        primary key (key, period))`.execute(queries);
    });
  }

  override onRegister({ appName, root, logger }: PluginHost): void {
    this.appName = appName;
    this.logger = logger;
    this.models = modelNamesIn(root);
  }

  override async beforeModel(
    _request: ModelRequest,
    context: CallbackContext,
  ): Promise<ModelResponse | undefined> {
    const accounts = this.accountsOf(context);
    if (accounts.length === 0) return undefined;
    const period = this.period();
    try {
      await this.write();
      const spent = accounts.find(({ budget: { usd } }) => usd !== undefined);
      const model = this.models.get(context.agentName) ?? '';
      if (spent && !priceOf(model, this.prices))
        return unavailable(`the price of the model "${model}" is not known`);
      return await this.refusal(accounts, period);
    } catch (error) {
      this.logger?.error('budgets could not be read', { error });
      return unavailable('what was spent cannot be read at the moment');
    }
  }

  /** Writes what a model call cost to the store, and to its event. */
  override async onEvent(event: Event, context: ReadonlyContext): Promise<Event | undefined> {
    const { usageMetadata, partial, author, customMetadata, modelVersion, cacheMetadata } = event;
    if (!usageMetadata || partial) return undefined;
    const price = priceOf(this.models.get(author) ?? modelVersion ?? '', this.prices);
    const usd = price ? costOfUsage(usageMetadata, price, cacheMetadata) : 0;
    const tokens = usageMetadata.totalTokenCount ?? 0;
    const keys = this.accountsOf(context).map(({ key }) => key);
    if (keys.length > 0) this.unwritten.push({ keys, period: this.period(), usd, tokens });
    await this.write().catch((error: unknown) => {
      this.logger?.error('what was spent could not be written, and is written before the next model call', {
        error,
      });
    });
    return price ? event.with({ customMetadata: { ...customMetadata, [COST]: { usd } } }) : undefined;
  }

  private accountsOf({ userId, requester: { tenant } }: ReadonlyContext): Account[] {
    const { options, appName } = this;
    const accounts: Account[] = [];
    const add = (owner: Owner, id: string): void => {
      const budget = options[owner];
      if (budget) accounts.push({ owner, budget, key: digestOfNames(appName, owner, id) });
    };
    add('user', userId);
    if (tenant !== undefined) add('tenant', tenant);
    add('application', '');
    return accounts;
  }

  private period(): string {
    const time = new Date(this.clock.now() * 1000).toISOString();
    return time.slice(0, this.options.per === 'month' ? 7 : 10);
  }

  private async refusal(accounts: readonly Account[], period: string): Promise<ModelResponse | undefined> {
    const keys = sql.join(accounts.map(({ key }) => key));
    const { rows } = await this.database.statement((queries) =>
      sql<Row>`select key, usd, tokens from adorn_spending where period = ${period} and key in (${keys})`.execute(
        queries,
      ),
    );
    const over = accounts.find(({ key, budget }) => {
      const { usd = 0, tokens = 0 } = rows.find((row) => row.key === key) ?? {};
      return Number(usd) >= (budget.usd ?? Infinity) || Number(tokens) >= (budget.tokens ?? Infinity);
    });
    return over && { errorCode: 'BUDGET_SPENT', errorMessage: spentText(over, this.options.per ?? 'day') };
  }

  private async write(): Promise<void> {
    for (let first = this.unwritten[0]; first; first = this.unwritten[0]) {
      this.unwritten.shift();
      try {
        await this.add(first);
      } catch (error) {
        this.unwritten.unshift(first);
        throw error;
      }
    }
  }

  private async add({ keys, period, usd, tokens }: Spending): Promise<void> {
    // In one order, so that no two transactions wait for each other.
    const rows = [...keys].sort().map((key) => sql`(${key}, ${period}, ${usd}, ${tokens})`);
    await this.database.statement((queries) =>
      sql`insert into adorn_spending (key, period, usd, tokens) values ${sql.join(rows)}
        on conflict (key, period) do update set
          usd = adorn_spending.usd + excluded.usd, tokens = adorn_spending.tokens + excluded.tokens`.execute(
        queries,
      ),
    );
  }
}

interface Row {
  readonly key: string;
  readonly usd: number | string;
  readonly tokens: number | string;
}

const OWNERS: Readonly<Record<Owner, string>> = {
  user: 'you',
  tenant: 'your organisation',
  application: 'all users together',
};

function spentText({ owner }: Account, per: 'day' | 'month'): string {
  const end = per === 'day' ? 'at midnight UTC' : 'on the first of the month';
  return `The budget that ${OWNERS[owner]} may spend in a ${per} is used up. It begins anew ${end}.`;
}

function unavailable(reason: string): ModelResponse {
  return {
    errorCode: 'BUDGET_UNAVAILABLE',
    errorMessage: `No model is asked, because ${reason}. Try again later.`,
  };
}
