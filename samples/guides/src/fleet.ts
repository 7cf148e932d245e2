import { openFleet, startWorker } from '@adorn/fleet';
import { PgBossQueue } from '@adorn/pg-boss';
import { sqlStorage } from '@adorn/storage';
import { agent, createRunner, LlmAgent } from 'adorn';

/** Answers questions about orders. */
@agent({ model: 'gemini-2.5-flash' })
class Clerk extends LlmAgent {}

/** The server: stores a message, and shows the events of its run, whichever machine has it. */
export async function accept(url: string, message: string): Promise<void> {
  const runner = await createRunner(Clerk, { modules: [sqlStorage(url)] });
  const fleet = await openFleet(runner, { queue: new PgBossQueue(url), url });
  const { invocationId } = await fleet.submit({ userId: 'ada', sessionId: 'orders', message });
  for await (const { seq, event } of fleet.follow({ userId: 'ada', sessionId: 'orders', invocationId }))
    console.log(seq, event.text);
}

/** A worker, on as many machines as you like. */
export async function work(url: string): Promise<void> {
  const runner = await createRunner(Clerk, { modules: [sqlStorage(url)] });
  const fleet = await openFleet(runner, { queue: new PgBossQueue(url), url });
  const worker = await startWorker(fleet, { concurrency: 10 });
  process.once('SIGTERM', () => void worker.stop(10_000).then(() => process.exit()));
}
