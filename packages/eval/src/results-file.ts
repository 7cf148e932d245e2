import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises';
import { hash } from 'node:crypto';

import { canonicalJson, isObject } from '@adorn/core/backend';

import { EvalConfigInvalidError } from './errors.js';
import type { EvalCaseResult } from './eval-report.js';
import type { EvalCase } from './eval-set.js';

/** The version of the format. */
const VERSION = 1;

/**
 * A file to which each result is written as soon as it is known, one JSON object a line behind a head. An evaluation that was
 * interrupted goes on with it: cases that have a result are not played again, cases with an error are.
 */
export class ResultsFile {
  /** By the case and the number of its run. */
  private readonly known = new Map<string, EvalCaseResult>();
  private writing: Promise<void> = Promise.resolve();

  private constructor(private readonly file: string) {}

  /**
   * Opens a file, or begins it.
   *
   * @param metrics the names of the metrics and gates: results of others are refused
   * @throws {EvalConfigInvalidError} if the file has the results of another evaluation, or is none of results
   */
  static async open(file: string, evalSetId: string, metrics: readonly string[]): Promise<ResultsFile> {
    const head = { format: 'adorn-eval-results', version: VERSION, evalSetId, metrics };
    const results = new ResultsFile(file);
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      if (isObject(error) && error['code'] === 'ENOENT') return undefined;
      throw new EvalConfigInvalidError(
        'evaluate',
        `the results ${file} cannot be read`,
        'Pass another file.',
      );
    });
    if (text === undefined || text === '') await writeFile(file, `${JSON.stringify(head)}\n`);
    else await results.read(text, head);
    return results;
  }

  /** The result of a case that was played to its end; undefined if it has to be played. */
  find(evalCase: EvalCase, run: number): EvalCaseResult | undefined {
    const result = this.known.get(keyOf(evalCase.evalId, run, digestOf(evalCase)));
    return result?.finalEvalStatus === 'error' ? undefined : result;
  }

  /** Results are written one after the other. */
  add(evalCase: EvalCase, result: EvalCaseResult): Promise<void> {
    const line = `${JSON.stringify({ case: digestOf(evalCase), result })}\n`;
    this.writing = this.writing.then(() => appendFile(this.file, line));
    return this.writing;
  }

  private async read(text: string, head: object): Promise<void> {
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    const [first = '', ...lines] = whole.split('\n').filter((line) => line !== '');
    const found = parsed(first);
    if (!isObject(found) || canonicalJson(found) !== canonicalJson(head))
      throw new EvalConfigInvalidError(
        'evaluate',
        `the file ${this.file} has no results of this evaluation, but begins with ${first.slice(0, 200)}`,
        'Delete it, or pass another file as results.',
      );
    for (const line of lines) {
      const entry = parsed(line);
      if (!isEntry(entry))
        throw new EvalConfigInvalidError('evaluate', `the file ${this.file} is damaged`, 'Delete it.');
      const { result } = entry;
      this.known.set(keyOf(result.evalId, result.run, entry.case), result);
    }
    // What a killed process has left of a line.
    if (whole.length < text.length) await truncate(this.file, Buffer.byteLength(whole));
  }
}

function isEntry(value: unknown): value is { readonly case: string; readonly result: EvalCaseResult } {
  return isObject(value) && typeof value['case'] === 'string' && isObject(value['result']);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function keyOf(evalId: string, run: number, digest: string): string {
  return JSON.stringify([evalId, run, digest]);
}

/** A case that was edited is played again. */
function digestOf(evalCase: EvalCase): string {
  return hash('sha256', canonicalJson(JSON.parse(JSON.stringify(evalCase))), 'base64url');
}
