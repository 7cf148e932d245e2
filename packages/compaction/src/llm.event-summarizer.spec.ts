import { Event, type Part } from '@adorn/core';
import { says, ScriptedModel, streams } from '@adorn/testing';

import { LlmEventSummarizer } from './llm.event-summarizer.js';
import { called, said, summary } from '../../core/src/log/compaction-log.fixture.js';

const TEMPLATE = '<{conversation_history}>';
const signal = new AbortController().signal;

describe('LlmEventSummarizer', () => {
  it('has its model write the summary, under a heading', async () => {
    const model = new ScriptedModel(says(' They met.\n'));
    const events = [said('user', 'Hello.'), said('clerk', 'Hi.')];

    const content = await new LlmEventSummarizer({ model }).summarize(events, { signal });

    expect(content).toEqual({
      role: 'user',
      parts: [{ text: '[Summary of earlier conversation]\nThey met.' }],
    });
    const [request] = model.requests;
    expect(request).toMatchObject({ config: {}, stream: false });
    expect(request?.contents[0]?.parts?.[0]?.text).toContain('\nuser: Hello.\nclerk: Hi.\n');
  });

  it('asks as it is told to', async () => {
    const model = new ScriptedModel(says('Short.'));
    const promptTemplate = 'In one word: {conversation_history} ({conversation_history})';

    await new LlmEventSummarizer({ model, promptTemplate }).summarize([said('user', 'Pay $& now.')], {
      signal,
    });

    expect(promptOf(model)).toBe('In one word: user: Pay $& now. (user: Pay $& now.)');
  });

  it('refuses a template that has no place for the conversation', () => {
    const model = new ScriptedModel();

    expect(() => new LlmEventSummarizer({ model, promptTemplate: 'Summarise.' })).toThrow(
      expect.objectContaining({ code: 'COMPACTION_CONFIG_INVALID' }) as Error,
    );
  });

  it.each<[string, Part[], string]>([
    ['texts', [{ text: 'a' }, { text: ' ' }, { text: 'b' }], 'clerk: a\nclerk: b'],
    ['no thoughts', [{ text: 'hm', thought: true }, { text: 'a' }], 'clerk: a'],
    [
      'calls',
      [{ functionCall: { id: 'c1', name: 'look', args: { at: 1 } } }],
      'clerk called look with {"at":1}',
    ],
    [
      'responses',
      [{ functionResponse: { id: 'c1', name: 'look', response: { at: 1 } } }],
      'look returned {"at":1}',
    ],
    [
      'files by their type',
      [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
      'clerk sent a file of the type image/png',
    ],
    [
      'no talk with a person',
      [{ functionCall: { name: 'adk_request_credential', args: {} } }, { text: 'a' }],
      'clerk: a',
    ],
  ])('tells its model of %s', async (_what, parts, expected) => {
    const model = new ScriptedModel(says('S'));
    const event = new Event({ author: 'clerk', content: { role: 'model', parts }, invocationId: 'e-1' });

    await new LlmEventSummarizer({ model, promptTemplate: TEMPLATE }).summarize([event], { signal });

    expect(promptOf(model)).toBe(`<${expected}>`);
  });

  it('tells it an earlier summary in the place of what that covers', async () => {
    const model = new ScriptedModel(says('S'));
    const events = [summary('They met.', 0, 3), said('user', 'Hello.')];

    await new LlmEventSummarizer({ model, promptTemplate: TEMPLATE }).summarize(events, { signal });

    expect(promptOf(model)).toBe('<They met.\nuser: Hello.>');
  });

  it('cuts long results short', async () => {
    const model = new ScriptedModel(says('S'));
    const parts = [{ functionResponse: { name: 'look', response: { page: 'x'.repeat(50_000) } } }];
    const event = new Event({ author: 'clerk', content: { role: 'user', parts }, invocationId: 'e-1' });

    await new LlmEventSummarizer({ model, promptTemplate: TEMPLATE }).summarize([event], { signal });

    expect(promptOf(model)?.length).toBeLessThan(4100);
  });

  it('reads what a subclass makes of the events', async () => {
    const model = new ScriptedModel(says('S'));
    class Counting extends LlmEventSummarizer {
      protected override transcript(events: readonly Event[]): string {
        return `${String(events.length)} events`;
      }
    }

    await new Counting({ model, promptTemplate: TEMPLATE }).summarize([called(['c1'])], { signal });

    expect(promptOf(model)).toBe('<1 events>');
  });

  it.each([[says('')], [says(' \n ')], [{}], [streams()]])(
    'gives nothing where its model says %j',
    async (answer) => {
      const summarizer = new LlmEventSummarizer({ model: new ScriptedModel(answer) });

      expect(await summarizer.summarize([said('user', 'Hello.')], { signal })).toBeUndefined();
    },
  );

  it('does not ask where nothing was said', async () => {
    const model = new ScriptedModel();
    const silent = new Event({ author: 'clerk', invocationId: 'e-1' });

    expect(await new LlmEventSummarizer({ model }).summarize([silent], { signal })).toBeUndefined();
    expect(model.requests).toEqual([]);
  });

  it('fails where its model gives an error, whatever it says beside it', async () => {
    const model = new ScriptedModel({
      ...says('I can'),
      errorCode: 'SAFETY',
      errorMessage: 'It was blocked.',
    });

    await expect(
      new LlmEventSummarizer({ model }).summarize([said('user', 'a')], { signal }),
    ).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      message:
        'The model returned no summary (SAFETY, It was blocked.). The conversation is unchanged. Check why the model refused the request.',
    });
  });
});

function promptOf(model: ScriptedModel): string | undefined {
  return model.requests[0]?.contents[0]?.parts?.[0]?.text;
}
