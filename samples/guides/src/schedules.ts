import { type Occurrence, schedule, type ScheduledRun, startSchedules } from '@adorn/schedules';
import { sqlStorage } from '@adorn/storage';
import { agent, ContainerModule, createRunner, inject, LlmAgent } from 'adorn';

/** Knows the orders of the shop. */
@agent({ model: 'gemini-2.5-flash' })
export class Clerk extends LlmAgent {
  @schedule('0 9 * * 1-5', { timeZone: 'Europe/Berlin' })
  morning({ dayBefore }: Occurrence): ScheduledRun {
    return { userId: 'ada', message: `Summarise the orders of ${dayBefore.date}.` };
  }
}

/** The sellers of the shop. It is an ordinary service. */
export class Sellers {
  list(): string[] {
    return ['mia', 'max'];
  }

  @schedule('0 18 * * 5', { name: 'weekly-report', missed: 'skip' })
  report(): ScheduledRun {
    const sellers = this.list().join(', ');
    return { userId: 'ada', sessionId: 'reports', message: `Write the weekly report for ${sellers}.` };
  }
}

/** The shops that use the application, each a tenant. */
export class Shops {
  list(): { tenant: string; owner: string }[] {
    return [
      { tenant: 'acme', owner: 'ada' },
      { tenant: 'globex', owner: 'ada' },
    ];
  }
}

/** Closes the day of each shop. */
export class Closing {
  constructor(@inject(Shops) private readonly shops: Shops) {}

  @schedule('0 22 * * *', { timeZone: 'Europe/Berlin' })
  daily({ day }: Occurrence): ScheduledRun[] {
    const message = `Sum up the orders of ${day.date}.`;
    return this.shops.list().map(({ tenant, owner }) => ({ userId: `${tenant}.${owner}`, tenant, message }));
  }
}

export const modules = [
  new ContainerModule(({ bind }) => {
    bind(Sellers).toSelf().inSingletonScope();
    bind(Closing).toSelf().inSingletonScope();
  }),
];

/** In as many processes as you like: each occurrence begins once. */
export async function work(url: string): Promise<void> {
  await using runner = await createRunner(Clerk, { modules: [sqlStorage(url), ...modules] });
  await using schedules = await startSchedules(runner, { services: [Sellers, Closing] });
  console.log(schedules.schedules.map(({ name }) => name));
  await new Promise((resolve) => process.once('SIGTERM', resolve));
}
