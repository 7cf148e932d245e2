import { writePythonJson } from './python-json.js';
import { answerOf } from './refusal.js';
import type { Row } from './row.js';

/** The record that a tool answers with, as Python's JSON, or why it refused. */
export function rowAnswer(work: () => Row): string {
  return answerOf(() => writePythonJson(work()));
}
