import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import type { FunctionDocument } from './function-document.js';
import type { Question, StatedCall } from './question.js';

/** The functions that many questions have in common, by their file. */
export type Libraries = ReadonlyMap<string, readonly FunctionDocument[]>;

/** A file of questions. */
export interface Category {
  readonly name: string;
  readonly questions: readonly Question[];
}

interface QuestionLine {
  readonly id: string;
  readonly question: readonly (readonly { readonly role: string; readonly content: string }[])[];
  readonly function?: readonly FunctionDocument[];
  readonly involved_classes?: readonly string[];
}

interface AnswerLine {
  readonly id: string;
  readonly ground_truth: readonly StatedCall[] | readonly (readonly StatedCall[])[];
}

const LIBRARIES = 'multi_turn_func_doc';

/** In which file the methods of a class are described. */
const LIBRARY_OF_CLASS: Readonly<Record<string, string>> = {
  GorillaFileSystem: 'gorilla_file_system',
  MathAPI: 'math_api',
  MessageAPI: 'message_api',
  TicketAPI: 'ticket_api',
  TradingBot: 'trading_bot',
  TravelAPI: 'travel_booking',
  TwitterAPI: 'posting_api',
  VehicleControlAPI: 'vehicle_control',
};

/** The functions of each library. */
export function readLibraries(folder: string): Libraries {
  const files = readdirSync(join(folder, LIBRARIES)).sort();
  return new Map(
    files.map((file) => [
      basename(file, '.json'),
      readLines<FunctionDocument>(join(folder, LIBRARIES, file)),
    ]),
  );
}

/** Every file of questions with its answers, in the order of their names. */
export function* readCategories(folder: string, libraries: Libraries): Generator<Category> {
  const files = readdirSync(folder).filter(
    (file) => file.endsWith('.jsonl') && !file.endsWith('.answers.jsonl'),
  );
  for (const file of files.sort()) {
    const name = basename(file, '.jsonl');
    const answers = readAnswers(join(folder, `${name}.answers.jsonl`));
    const lines = readLines<QuestionLine>(join(folder, file));
    yield { name, questions: lines.map((line) => questionOf(line, answers.get(line.id), libraries)) };
  }
}

/** Questions for which no function helps have no answers. */
function readAnswers(path: string): ReadonlyMap<string, AnswerLine> {
  const lines = existsSync(path) ? readLines<AnswerLine>(path) : [];
  return new Map(lines.map((line) => [line.id, line]));
}

function questionOf(line: QuestionLine, answer: AnswerLine | undefined, libraries: Libraries): Question {
  const said = line.question.flat().find(({ role }) => role === 'user');
  return {
    id: line.id,
    message: said?.content ?? line.id,
    documents: line.function ?? (line.involved_classes ?? []).flatMap((each) => libraryOf(each, libraries)),
    turns: turnsOf(answer?.ground_truth ?? []),
  };
}

function libraryOf(className: string, libraries: Libraries): readonly FunctionDocument[] {
  const found = libraries.get(LIBRARY_OF_CLASS[className] ?? className);
  if (!found) throw new Error(`No file describes the methods of ${className}.`);
  return found;
}

/** The calls of a question of one turn stand in no list of their own. */
function turnsOf(truth: AnswerLine['ground_truth']): (readonly StatedCall[])[] {
  const turns = truth.some((each) => Array.isArray(each)) ? truth : [truth];
  return (turns as readonly (readonly StatedCall[])[]).filter((turn) => turn.length > 0);
}

function readLines<Line>(path: string): Line[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as Line);
}
