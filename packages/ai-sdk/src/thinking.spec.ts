import type { GenerateContentConfig } from '@adorn/core';

import { AiSdkModel } from './ai-sdk.model.js';
import { thinkingOf } from './request/thinking.js';
import { RecordingServer, VENDORS } from './vendors.fixture.js';
import { ask } from './wires.fixture.js';

type ThinkingConfig = NonNullable<GenerateContentConfig['thinkingConfig']>;

const LOW = { thinkingLevel: 'LOW' } as unknown as ThinkingConfig;
const HIGH = { thinkingLevel: 'HIGH' } as unknown as ThinkingConfig;
const BUDGET = { thinkingBudget: 2_000 };
const OFF = { thinkingBudget: 0 };

describe('thinkingConfig', () => {
  it.each([
    ['OpenAI', LOW, { reasoning: { effort: 'low' } }],
    ['OpenAI chat', LOW, { reasoning_effort: 'low' }],
    ['Anthropic', BUDGET, { thinking: { type: 'enabled', budget_tokens: 2_000 } }],
    [
      'Bedrock',
      BUDGET,
      { additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 2_000 } } },
    ],
    [
      'Google',
      { ...BUDGET, includeThoughts: true },
      { generationConfig: { thinkingConfig: { thinkingBudget: 2_000, includeThoughts: true } } },
    ],
    ['Google', LOW, { generationConfig: { thinkingConfig: { thinkingLevel: 'low' } } }],
    ['Groq', LOW, { reasoning_effort: 'low' }],
    ['Mistral', HIGH, { reasoning_effort: 'high' }],
    ['Mistral', OFF, { reasoning_effort: 'none' }],
    ['OpenRouter', LOW, { reasoning: { effort: 'low' } }],
    ['OpenRouter', BUDGET, { reasoning: { max_tokens: 2_000 } }],
    ['OpenRouter', OFF, { reasoning: { effort: 'none' } }],
  ])('is translated for %s: %j', async (name, thinkingConfig, expected) => {
    const { body, warnings } = await requestWith(name, thinkingConfig);

    expect(body).toMatchObject(expected);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['OpenAI', BUDGET, 'thinkingConfig.thinkingBudget'],
    ['Anthropic', LOW, 'thinkingConfig.thinkingLevel'],
    ['Mistral', LOW, 'thinkingConfig.thinkingLevel'],
    ['compatible', BUDGET, 'thinkingConfig.thinkingBudget'],
  ])('is told once in the log where %s has no such option: %j', async (name, thinkingConfig, field) => {
    const { warnings } = await requestWith(name, thinkingConfig);

    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(field);
  });

  it('is the option of specification v4 where the provider has none of its own', () => {
    expect(thinkingOf(HIGH, 'local', 'v4')).toEqual({ options: {}, reasoning: 'high', ignored: [] });
    expect(thinkingOf(OFF, 'local', 'v4')).toEqual({ options: {}, reasoning: 'none', ignored: [] });
    expect(thinkingOf(BUDGET, 'local', 'v4').ignored).toEqual(['thinkingBudget']);
  });

  it('that asks for nothing is not told', async () => {
    const { warnings } = await requestWith('compatible', { thinkingBudget: -1, includeThoughts: false });

    expect(warnings).toEqual([]);
  });
});

/** The request of a vendor, sent twice, and the warnings of the log. */
async function requestWith(
  name: string,
  thinkingConfig: ThinkingConfig,
): Promise<{ readonly body: unknown; readonly warnings: readonly string[] }> {
  const vendor = VENDORS.find((one) => one.name === name);
  if (vendor === undefined) throw new Error(`no vendor ${name}`);
  await using server = await RecordingServer.start();
  const model = new AiSdkModel(vendor.model(server.url), { retry: { attempts: 1 } });
  const warnings: string[] = [];
  const warn = (_text: string, fields: unknown): void => {
    warnings.push((fields as { readonly warning: string }).warning);
  };
  const logger = { debug: warn, info: warn, warn, error: warn };
  for (let times = 0; times < 2; times += 1)
    await expect(ask(model, { config: { thinkingConfig }, logger })).rejects.toMatchObject({
      status: 400,
    });
  return { body: JSON.parse(server.bodies[1] ?? ''), warnings };
}
