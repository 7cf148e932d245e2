import { saysText, startGeminiEmulator } from '@adorn/testing';
import { agent, createRunner, GeminiModel, LlmAgent } from 'adorn';

@agent({ model: new GeminiModel({ model: 'gemini-2.5-pro', retry: { attempts: 3 } }) })
export class Support extends LlmAgent {}

describe('the program of the README', () => {
  const before = { ...process.env };

  afterAll(() => {
    process.env = before;
  });

  it('asks the model with the key and the base URL of the environment', async () => {
    const gemini = await startGeminiEmulator([saysText('Hello.')]);
    process.env['GEMINI_API_KEY'] = 'test-key';
    process.env['GOOGLE_GEMINI_BASE_URL'] = gemini.url;

    const runner = await createRunner(Support);
    const answer = await runner.ask('Hello?');

    expect(answer).toBe('Hello.');
    expect(gemini.requests).toMatchObject([
      { path: '/v1beta/models/gemini-2.5-pro:generateContent', headers: { 'x-goog-api-key': 'test-key' } },
    ]);
    await runner.close();
    await gemini.close();
  });
});
