import { agent, createRunner, LlmAgent, tool, type ToolContext } from 'adorn';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { expect } from 'expect';

import type { Example, ExampleDocument } from './example.js';
import { declaredIn, instructionIn, responsesIn, spokenIn } from './model-reads.js';
import { documentAnalysis, orderStatus, userPreference } from './adk-tool-context.examples.js';

// example: weather and sentiment
class Weather {
  /**
   * Get the current weather report of a city.
   * @param city The name of the city.
   * @returns A `status` of `success` with a `report`, or of `error` with an `error_message`.
   */
  @tool({ effect: 'read' })
  getWeatherReport(city: string) {
    const report = REPORTS[city.toLowerCase()];
    if (report !== undefined) return { status: 'success', report };
    return { status: 'error', error_message: `There is no weather of '${city}'.` };
  }

  /**
   * Analyze the sentiment of a text.
   * @param text The text.
   * @returns The `sentiment`, `positive`, `negative` or `neutral`, and how sure that is as `confidence`.
   */
  @tool({ effect: 'read' })
  analyzeSentiment(text: string) {
    if (/good|sunny/i.test(text)) return { sentiment: 'positive', confidence: 0.8 };
    if (/rain|bad/i.test(text)) return { sentiment: 'negative', confidence: 0.7 };
    return { sentiment: 'neutral', confidence: 0.6 };
  }
}

const REPORTS: Record<string, string | undefined> = {
  london: 'London is cloudy, at 18 degrees, and it may rain.',
  paris: 'Paris is sunny, at 25 degrees.',
};

@agent({
  model: 'gemini-2.0-flash',
  instruction: `You tell people the weather, and hear what they think of it.
Asked for the weather of a city, call get_weather_report.
If its status is success, tell the report. If it is error, say that there is none, and ask for another city.
If the user then says what they think of it, call analyze_sentiment, and reply in a few words.`,
  tools: [Weather],
})
class WeatherSentimentAgent extends LlmAgent {}

async function ask(model: ScriptedModel, query: string): Promise<string[]> {
  await using runner = await createRunner(WeatherSentimentAgent, { model });
  const answers: string[] = [];
  for await (const event of runner.run({ userId: 'user1234', sessionId: '1234', message: query }))
    if (event.isFinalResponse) answers.push(event.text);
  return answers;
}
// end of example

// example: urgent transfer
class Escalation {
  /**
   * Check whether a query is urgent, and hand it to another agent if it is.
   *
   * @param query What is asked for.
   */
  @tool
  checkAndTransfer(query: string, { actions }: ToolContext): string {
    if (!/urgent/i.test(query)) return `'${query}' was processed. There is nothing else to do.`;
    actions.transferToAgent = 'support_agent';
    return 'The support agent takes over.';
  }
}

/** Helps with what is urgent. */
@agent({ instruction: 'Say that you are support, and help with what is urgent.' })
class SupportAgent extends LlmAgent {}

@agent({
  model: 'gemini-2.0-flash',
  instruction: 'You are the first whom customers reach. If something is urgent, call check_and_transfer.',
  tools: [Escalation],
  subAgents: [SupportAgent],
})
class MainAgent extends LlmAgent {}

async function askSupport(model: ScriptedModel, query: string) {
  await using runner = await createRunner(MainAgent, { model });
  const { events } = await runner.run({ userId: 'user1234', sessionId: '1234', message: query });
  return events;
}
// end of example

const weatherAndSentiment: Example = {
  name: 'weather and sentiment',
  there: 55,
  hasImports: true,
  async play(promise) {
    const model = new ScriptedModel(
      callsTool('get_weather_report', { city: 'London' }),
      callsTool('get_weather_report', { city: 'Oslo' }),
      callsTool('analyze_sentiment', { text: "I don't like rain" }),
      says('London is cloudy.'),
    );
    const answers = await ask(model, 'The weather in London?');

    promise('both tools are declared with the name, the description, and one required text', () => {
      expect(declaredIn(model)).toMatchObject([
        {
          name: 'get_weather_report',
          description: expect.stringContaining('Get the current weather report of a city.') as unknown,
          parametersJsonSchema: { properties: { city: { type: 'string' } }, required: ['city'] },
        },
        {
          name: 'analyze_sentiment',
          parametersJsonSchema: { properties: { text: { type: 'string' } }, required: ['text'] },
        },
      ]);
    });
    promise('the model reads what a tool returns, from the doc comment', () => {
      const [report, sentiment] = declaredIn(model);
      expect(report?.description).toContain('`error_message`');
      expect(sentiment?.description).toContain('how sure that is');
    });
    promise('the model reads the instruction with the names of the tools', () => {
      expect(instructionIn(model)).toContain('call analyze_sentiment');
    });
    promise('each result is read in the next request, as it was returned', () => {
      expect(responsesIn(model)).toEqual([
        { status: 'success', report: 'London is cloudy, at 18 degrees, and it may rain.' },
        { status: 'error', error_message: "There is no weather of 'Oslo'." },
        { sentiment: 'negative', confidence: 0.7 },
      ]);
    });
    promise('one event is the final response', () => {
      expect(answers).toEqual(['London is cloudy.']);
    });
  },
};

const urgentTransfer: Example = {
  name: 'urgent transfer',
  there: 41,
  hasImports: true,
  async play(promise) {
    const urgent = new ScriptedModel(
      callsTool('check_and_transfer', { query: 'urgent: I cannot log in' }),
      says('Support here.'),
    );
    const events = await askSupport(urgent, 'This is urgent, I cannot log in.');
    const calm = new ScriptedModel(
      callsTool('check_and_transfer', { query: 'a question' }),
      says('That is all.'),
    );
    const others = await askSupport(calm, 'A question.');

    promise('the context is no argument of the tool', () => {
      const declared = declaredIn(urgent).find(({ name }) => name === 'check_and_transfer');
      expect(declared?.parametersJsonSchema).toMatchObject({ required: ['query'] });
      expect(Object.keys(declared?.parametersJsonSchema?.['properties'] ?? {})).toEqual(['query']);
    });
    promise('an urgent query is handed over: the action is on the event, and the other agent answers', () => {
      expect(events.find(({ functionResponses }) => functionResponses.length > 0)?.actions).toMatchObject({
        transferToAgent: 'support_agent',
      });
      expect(spokenIn(events)).toEqual(['support_agent: Support here.']);
      expect(instructionIn(urgent, 1)).toContain('Say that you are support');
    });
    promise('the result of the tool is in the log, a text as { result }', () => {
      const responses = events.flatMap(({ functionResponses }) => functionResponses);
      expect(responses.map(({ response }) => response)).toEqual([
        { result: 'The support agent takes over.' },
      ]);
    });
    promise('any other query stays with the agent, which reads the result', () => {
      expect(spokenIn(others)).toEqual(['main_agent: That is all.']);
      expect(responsesIn(calm)).toEqual([
        { result: "'a question' was processed. There is nothing else to do." },
      ]);
    });
  },
};

export const ADK_TOOLS: ExampleDocument = {
  name: '002 ADK tools',
  examples: [weatherAndSentiment, userPreference, urgentTransfer, documentAnalysis, orderStatus],
};
