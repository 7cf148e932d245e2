import { TelemetryPlugin } from '@adorn/telemetry';
import { OfflineModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent } from 'adorn';

/** Answers questions about orders. */
@agent({ model: 'gemini-2.5-flash' })
class Support extends LlmAgent {}

await using runner = await createRunner(Support, {
  model: new OfflineModel(),
  plugins: [new TelemetryPlugin()],
});
console.log(await runner.ask('Hello.', { userId: 'ada' }));
