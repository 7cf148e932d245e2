import type { Content } from '@adorn/core';
import type { FunctionResponse } from '@adorn/core/backend';

import { INTRODUCTION, toolAskedAbout } from './phrases.js';
import { TRANSFER } from './choose-agent.js';

/** The parts of a conversation that the offline model uses. */
export interface Conversation {
  /** The user's request now: the last words, and where they answer a question of ours, the words it was about. */
  readonly request: readonly string[];
  readonly earlier: readonly string[];
  /** The tool that our last question was about. */
  readonly askedAbout?: string;
  /** Responses of tools since the last user message, one list for each batch of calls. */
  readonly answers: readonly (readonly FunctionResponse[])[];
  /** True if the conversation was transferred to this agent since the last user message. */
  readonly wasTransferred: boolean;
  /** True if this model has not answered yet. */
  readonly isFirstAnswer: boolean;
}

export function readConversation(contents: readonly Content[]): Conversation {
  const last = contents.findLastIndex(isUsersWords);
  const request = requestEndingAt(contents, last);
  const asked = toolAskedAbout(textIn(contents.slice(0, Math.max(0, last)).findLast(isOurWords)));
  const sinceThen = contents.slice(last + 1);
  return {
    request: request.map((index) => textIn(contents[index])),
    earlier: contents
      .slice(0, request[0] ?? 0)
      .filter(isUsersWords)
      .map(textIn),
    ...(asked !== undefined && { askedAbout: asked }),
    answers: sinceThen.map(responsesIn).filter((responses) => responses.length > 0),
    wasTransferred: sinceThen.some(isTransfer),
    isFirstAnswer: !contents.some((content) => isOurWords(content) || textIn(content).includes(INTRODUCTION)),
  };
}

/** Goes back over our questions to the words that they were asked about. */
function requestEndingAt(contents: readonly Content[], last: number): number[] {
  const request: number[] = last < 0 ? [] : [last];
  for (let index = last - 1; index >= 0; index -= 1) {
    const content = contents[index];
    if (!content || !isOfQuestion(content)) break;
    if (isUsersWords(content)) request.unshift(index);
    if (isUsersWords(content) && !isQuestion(contents[index - 1])) break;
  }
  return request;
}

/** A question of ours, or the user's words that stand around it. */
function isOfQuestion(content: Content): boolean {
  return isQuestion(content) || isUsersWords(content);
}

function isQuestion(content: Content | undefined): boolean {
  return content !== undefined && isOurWords(content) && toolAskedAbout(textIn(content)) !== undefined;
}

/**
 * Texts that reach a model as content of the user and that no user has said: another agent's words, the runner's request
 * to go on, preloaded memories, a summary, loaded artifacts, images of code. They are nobody's request.
 */
const NOBODYS_WORDS =
  /^(?:For context:|Continue with the previous request|Remembered of |\[Summary of earlier conversation\]|Artifact "|Image "[^\n]*", written by the code:)/;

function isUsersWords(content: Content): boolean {
  const text = textIn(content);
  return content.role !== 'model' && text !== '' && !NOBODYS_WORDS.test(text);
}

function isOurWords(content: Content): boolean {
  return content.role === 'model' && textIn(content) !== '';
}

function isTransfer(content: Content): boolean {
  return (
    textIn(content).includes(`\`${TRANSFER}\``) || responsesIn(content).some(({ name }) => name === TRANSFER)
  );
}

function responsesIn(content: Content): FunctionResponse[] {
  return (content.parts ?? []).flatMap(({ functionResponse }) => functionResponse ?? []);
}

function textIn(content: Content | undefined): string {
  return (content?.parts ?? [])
    .flatMap(({ text, thought }) => (text === undefined || thought === true ? [] : text))
    .join('');
}
