import { type CallbackContext, type Content, joinText, type ModelRequest, Plugin } from '@adorn/core';
import {
  checkPluginOptions,
  functionCallsOf,
  functionResponsesOf,
  isQuotedContent,
  NEXT_MESSAGE,
  type OptionRules,
  PluginOptionInvalidError,
  rule,
  wholeFrom,
} from '@adorn/core/backend';

/** The options of a `ContextFilterPlugin`: at least one. */
export interface ContextFilterOptions {
  /** How many turns a model sees, including the current one. A turn is a message of the user and what follows it. */
  readonly turns?: number;
  /** Returns false for a content that the model does not see. Called for the contents that `turns` keeps. */
  readonly filter?: (content: Content, index: number, contents: readonly Content[]) => boolean;
}

const OPTIONS: OptionRules<ContextFilterOptions> = {
  turns: wholeFrom(1),
  filter: rule((value) => typeof value === 'function', 'Pass a function of a content.'),
};

/**
 * Leaves older contents out of the requests to models. The log keeps everything. A call and its response are always
 * kept or left out together, and the last content is always kept. Contents before the first message, such as the
 * summary of a compaction, belong to the first turn.
 */
export class ContextFilterPlugin extends Plugin {
  readonly name: string = 'context_filter';
  private readonly turns: number;

  /** @throws {PluginOptionInvalidError} */
  constructor(private readonly options: ContextFilterOptions) {
    super();
    checkOptions(options);
    this.turns = options.turns ?? Infinity;
  }

  override beforeModel(request: ModelRequest, context: CallbackContext): undefined {
    const all = request.contents;
    const start = this.turns === Infinity ? 0 : startOfTurns(all, this.turns, context);
    const recent = start === 0 ? all : all.slice(start);
    const { filter } = this.options;
    const kept = filter === undefined ? recent : filtered(recent, filter);
    if (kept.length < all.length) request.contents = kept;
  }
}

/** The index of the first message of the oldest kept turn; 0 if there are not that many turns. */
function startOfTurns(contents: readonly Content[], turns: number, context: CallbackContext): number {
  let left = turns;
  for (let index = contents.length - 1; index > 0; index--) {
    const isStart = isMessage(contents, index, context) && !isMessage(contents, index - 1, context);
    if (isStart && --left === 0) return index;
  }
  return 0;
}

/** True for a message of the user: not a function response, not text about another agent, not added by the request. */
function isMessage(contents: readonly Content[], index: number, { userContent }: CallbackContext): boolean {
  const content = contents[index];
  if (content?.role !== 'user' || isQuotedContent(content) || functionResponsesOf(content).length > 0)
    return false;
  if (content === NEXT_MESSAGE) return true;
  // Instructions that follow the conversation stand at the end.
  return index < contents.length - 1 || joinText(content) === joinText(userContent);
}

function filtered(
  contents: readonly Content[],
  filter: NonNullable<ContextFilterOptions['filter']>,
): Content[] {
  const isKept = contents.map(
    (content, index) => index === contents.length - 1 || filter(content, index, contents),
  );
  for (let index = 1; index < contents.length; index++) {
    if (!isAnswered(contents[index - 1], contents[index])) continue;
    isKept[index - 1] = isKept[index] = isKept[index - 1] === true || isKept[index] === true;
  }
  return contents.filter((_content, index) => isKept[index]);
}

/** True for calls and the content behind them with their responses. */
function isAnswered(made: Content | undefined, answer: Content | undefined): boolean {
  return functionCallsOf(made).length > 0 && functionResponsesOf(answer).length > 0;
}

function checkOptions(options: ContextFilterOptions): void {
  const owner = 'ContextFilterPlugin';
  checkPluginOptions(owner, options, OPTIONS);
  if (options.turns === undefined && options.filter === undefined)
    throw new PluginOptionInvalidError(owner, 'it has nothing to filter by. Pass turns or filter.');
}
