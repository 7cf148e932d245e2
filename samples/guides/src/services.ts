import { OfflineModel } from '@adorn/testing';
import { AdornError, agent, ContainerModule, createRunner, inject, LlmAgent, tool } from 'adorn';

/** Where exchange rates come from. The application binds an implementation; the tool does not know it. */
abstract class Rates {
  abstract perEuro(currency: string): Promise<number>;
}

class FixedRates extends Rates {
  override async perEuro(currency: string): Promise<number> {
    return currency === 'NOK' ? 11.5 : 1;
  }
}

/** Counts conversions. Nobody binds it: it can be constructed, so Adorn constructs it. */
class Usage {
  conversions = 0;
}

/** Margin on every rate, in percent. */
const MARGIN = Symbol('margin');

class Prices {
  constructor(
    @inject(Rates) private readonly rates: Rates,
    @inject(MARGIN) private readonly margin: number,
    @inject(Usage) private readonly usage: Usage,
  ) {}

  /**
   * Convert euros to another currency.
   * @param euros Amount in euros.
   * @param currency Currency to convert to, such as "NOK".
   */
  @tool({ effect: 'read' })
  async convertEuros(euros: number, currency: string): Promise<number> {
    this.usage.conversions += 1;
    return euros * (await this.rates.perEuro(currency)) * (1 + this.margin / 100);
  }
}

/** Converts prices. */
@agent({ model: 'gemini-2.5-flash', tools: [Prices] })
class Cashier extends LlmAgent {}

const services = new ContainerModule(({ bind }) => {
  bind(Rates).to(FixedRates).inSingletonScope();
  bind(MARGIN).toConstantValue(2);
});

await using runner = await createRunner(Cashier, { modules: [services], model: new OfflineModel() });
console.log(await runner.ask('Convert 100 euros to NOK', { userId: 'ada' }));
console.log('conversions:', runner.get(Usage).conversions);

await createRunner(Cashier, { model: new OfflineModel() }).catch((error: unknown) => {
  if (AdornError.is(error)) console.log(error.code, error.message);
});
