import { fillArguments, type Said } from './fill-arguments.js';
import { type OfferedTool, parametersOf } from './offered-tool.js';
import { wordsOf } from './words.js';

/** Weights of words by their place in the declaration. */
const IN_NAME = 3;
const IN_DESCRIPTION = 1;
const IN_PARAMETERS = 0.75;
/** A value of the right shape, such as an order number, for something the tool needs. */
const PER_CERTAIN_VALUE = 2;
/** Factor on the score for each required argument that is missing. */
const PER_MISSING_VALUE = 0.5;
const AT_LEAST = 0.25;
/** Where the words fit two tools alike, looking does no harm. */
const LOOKS_ONLY = /^(?:get|list|show|find|search|read|look)/;
const FOR_LOOKING = 0.1;
/** Less than this is chance. */
const THRESHOLD = 1.4;

/** The tool with the best score; undefined if no score is high enough. Of equals the first declared. */
export function chooseTool(tools: readonly OfferedTool[], said: Said): OfferedTool | undefined {
  const vocabularies = tools.map(vocabularyOf);
  const words = new Set(said.request.flatMap(wordsOf));
  let best: OfferedTool | undefined;
  let highest = THRESHOLD;
  tools.forEach((tool, index) => {
    const { certain, missing } = fillArguments(tool, said);
    const matched = scoreOfWords(words, vocabularies[index] ?? new Map(), vocabularies);
    const fit =
      certain * PER_CERTAIN_VALUE + matched * Math.max(PER_MISSING_VALUE ** missing.length, AT_LEAST);
    const score = fit + (LOOKS_ONLY.test(tool.name) ? FOR_LOOKING : 0);
    if (score > highest) [best, highest] = [tool, score];
  });
  return best;
}

/** The words of a tool and their weights. */
type Vocabulary = ReadonlyMap<string, number>;

function vocabularyOf({ name, description, parameters }: OfferedTool): Vocabulary {
  const worth = new Map<string, number>();
  const add = (text: string, value: number): void => {
    for (const word of wordsOf(text).filter(isNoExample))
      worth.set(word, Math.max(value, worth.get(word) ?? 0));
  };
  add(name, IN_NAME);
  add(description, IN_DESCRIPTION);
  for (const { name: parameter, schema } of parametersOf(parameters)) {
    add([parameter, schema.description, ...schema.choices].join(' '), IN_PARAMETERS);
  }
  return worth;
}

/** A tool is not meant because its description happens to name that very order. */
function isNoExample(word: string): boolean {
  return !/\d/.test(word);
}

/** A word that every tool uses tells nothing; one that a single tool uses tells much. */
function scoreOfWords(words: ReadonlySet<string>, own: Vocabulary, all: readonly Vocabulary[]): number {
  let score = 0;
  for (const word of words) {
    const users = all.filter((vocabulary) => vocabulary.has(word)).length;
    score += (own.get(word) ?? 0) * Math.log2(1 + all.length / Math.max(1, users));
  }
  return score;
}
