import { agent, defineTool, LlmAgent, tool, type ToolContext, withOptions } from 'adorn';
import { callsLive, cancelsCalls, type LiveStep, speaks, untilResponse, untilText } from '@adorn/testing';
import { expect } from 'expect';

import type { Example } from './example.js';
import { LiveCall } from './live-call.js';

/** Ends the search that runs. */
let find: (found: string) => void = () => undefined;
const stopped: string[] = [];

/** Searches until `find` is called, or until it is stopped. */
function search(query: string, { signal }: ToolContext): Promise<string> {
  return new Promise((resolve, reject) => {
    find = resolve;
    signal.addEventListener('abort', () => {
      stopped.push(query);
      reject(new Error('stopped'));
    });
  });
}

/**
 * Search the knowledge base.
 *
 * @param query What is asked for.
 */
function searchKnowledgeBase(query: string, context: ToolContext) {
  return search(query, context);
}

/**
 * Analyze a document.
 *
 * @param query What is asked for.
 */
async function analyzeDoc(query: string, context: ToolContext) {
  if (query === 'broken') throw new Error('down');
  return `read ${await search(query, context)}`;
}

const searching = defineTool(searchKnowledgeBase);
const analyzing = defineTool(analyzeDoc, { exposeErrors: true });

// example: ResultFormatter
const analyzingInWords = withOptions(analyzing, {
  background: {
    format: {
      running: ({ args }) => ({ status: 'searching', query: args['query'] }),
      result: ({ name }, { result, error }) =>
        error === undefined ? { status: 'done', tool: name, result } : { status: 'error', tool: name, error },
      cancelled: ({ id }) => ({ status: 'cancelled', call_id: id }),
    },
  },
});
// end of example

// example: background, L2
@agent({
  model: 'gemini-live-2.5-flash-preview',
  tools: [withOptions(searching, { background: true }), analyzingInWords],
})
class BackgroundDesk extends LlmAgent {}
// end of example

// example: background, L1
class KnowledgeBase {
  /**
   * Search the knowledge base.
   *
   * @param query What is asked for.
   */
  @tool({ background: { scheduling: 'when_idle' } })
  searchKnowledgeBase(query: string, context: ToolContext) {
    return search(query, context);
  }
}
// end of example

@agent({ name: 'desk', tools: [KnowledgeBase] })
class ScheduledDesk extends LlmAgent {}

/** A turn in which the model calls a tool, and speaks before the result has come. */
function speaksMeanwhile(name: string, id: string, query: string): LiveStep[] {
  return [untilText(), callsLive(name, { query }, id), untilResponse(id), speaks('Let me look.')];
}

const RUNNING = { status: 'running', tool: 'search_knowledge_base' };

export const backgroundL2: Example = {
  name: 'background, L2',
  there: 6,
  differs: {
    what: 'project, location and credentials of Vertex AI are settings of the model, and no arguments of the session',
    page: 'docs/coming-from/gemini-rs.md',
    words: 'Vertex AI by environment variables or options of `GeminiModel`',
  },
  async play(promise) {
    stopped.splice(0);
    await using call = await LiveCall.with(BackgroundDesk, [
      ...speaksMeanwhile('search_knowledge_base', 'b1', 'law'),
      ...[untilResponse('b1'), speaks('The law says so.')],
      ...[
        ...speaksMeanwhile('search_knowledge_base', 'b2', 'tax'),
        untilText(),
        cancelsCalls('b2'),
        speaks('Well.'),
      ],
      ...speaksMeanwhile('analyze_doc', 'd1', 'contract'),
    ]);
    await call.talk();
    const toldMeanwhile = [...(call.told['b1'] ?? [])];
    const spokenMeanwhile = call.events.at(-1)?.text;
    find('found law');
    await call.untilTurnEnd();
    promise('the call is acknowledged at once, and the model goes on speaking', () => {
      expect(toldMeanwhile).toEqual([RUNNING]);
      expect(spokenMeanwhile).toBe('Let me look.');
    });
    promise('the result follows under the id of the call, and the model speaks of it', () => {
      expect(call.told['b1']).toEqual([RUNNING, { result: 'found law' }]);
      expect(call.events.at(-1)?.text).toBe('The law says so.');
    });

    await call.talk();
    await call.talk();
    promise('a call that the model cancels is stopped, and not answered any more', () => {
      expect(stopped).toEqual(['tax']);
      expect(call.told['b2']).toEqual([RUNNING]);
    });
    await call.talk();
    await call.hangUp();
    promise('the end of the session stops what runs', () => {
      expect(stopped).toEqual(['tax', 'contract']);
    });
  },
};

export const backgroundL1: Example = {
  name: 'background, L1',
  there: 8,
  async play(promise) {
    await using call = await LiveCall.with(ScheduledDesk, [
      ...speaksMeanwhile('search_knowledge_base', 'b1', 'law'),
      ...[untilResponse('b1'), speaks('The law says so.')],
    ]);
    await call.talk();
    find('found law');
    await call.untilTurnEnd();
    promise('the result is to be told when the model is idle', () => {
      const [acknowledged, result] = call.model.connection.responses;
      expect(acknowledged).toMatchObject({ id: 'b1', response: RUNNING, willContinue: true });
      expect(result).toMatchObject({ id: 'b1', response: { result: 'found law' }, scheduling: 'when_idle' });
    });
  },
};

export const resultFormatter: Example = {
  name: 'ResultFormatter',
  there: 15,
  async play(promise) {
    await using call = await LiveCall.with(BackgroundDesk, [
      ...speaksMeanwhile('analyze_doc', 'd1', 'contract'),
      ...[untilResponse('d1'), speaks('It is a good one.')],
      ...[
        untilText(),
        callsLive('analyze_doc', { query: 'broken' }, 'd2'),
        untilResponse('d2', 2),
        speaks('Oh.'),
      ],
      ...[
        ...speaksMeanwhile('analyze_doc', 'd3', 'letter'),
        untilText(),
        cancelsCalls('d3'),
        speaks('Well.'),
      ],
    ]);
    await call.talk();
    find('contract');
    await call.untilTurnEnd();
    await call.talk();
    await call.talk();
    await call.talk();

    promise('the acknowledgement and the result have the shapes of the format', () => {
      expect(call.told['d1']).toEqual([
        { status: 'searching', query: 'contract' },
        { status: 'done', tool: 'analyze_doc', result: 'read contract' },
      ]);
    });
    promise('so has an error', () => {
      expect(call.told['d2']).toEqual([
        { status: 'searching', query: 'broken' },
        { status: 'error', tool: 'analyze_doc', error: expect.stringContaining('down') as unknown },
      ]);
    });
    const history = await call.historyOfNextConnection();
    promise('a cancelled call is not answered, and later models read of it what the format says', () => {
      expect(call.told['d3']).toEqual([{ status: 'searching', query: 'letter' }]);
      expect(history).toContain('{"status":"cancelled","call_id":"d3"}');
    });
  },
};
