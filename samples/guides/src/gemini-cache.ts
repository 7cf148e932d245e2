import { saysText, startGeminiEmulator } from '@adorn/testing';
import { agent, createRunner, GeminiModel, LlmAgent } from 'adorn';

const manual = 'The red button stops the machine, and the green one starts it again. '.repeat(300);

/** Answers questions about the machine. */
@agent({ instruction: `Answer from the manual.\n${manual}` })
class Helper extends LlmAgent {}

// A server on this machine stands in for Google.
await using gemini = await startGeminiEmulator(() => saysText('The red one.'));
const model = new GeminiModel({ baseUrl: gemini.url, apiKey: 'test', contextCache: { ttlSeconds: 600 } });
await using runner = await createRunner(Helper, { model });

for (const userId of ['ada', 'bob', 'eve']) {
  const { events } = await runner.run({ userId, sessionId: 's1', message: 'Which button stops it?' });
  const { promptTokenCount = 0, cachedContentTokenCount = 0 } = events.at(-1)?.usageMetadata ?? {};
  const { body } = gemini.requests.at(-1) ?? { body: {} };
  const sent = `${String(JSON.stringify(body).length)} bytes sent`;
  console.log(
    `${userId}: ${sent}, ${String(cachedContentTokenCount)} of ${String(promptTokenCount)} tokens cached`,
  );
}
console.log(gemini.caches.requests.map(({ method, path }) => `${method} ${path}`).join(', '));
