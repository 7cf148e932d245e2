import { type Awaitable, composedKey, composedParts } from '@adorn/core/backend';

import type { EvalCaseResult } from './eval-report.js';
import type { EvalSet } from './eval-set.js';

/** An evaluation that was kept. */
export interface EvalSetResult {
  readonly evalSetResultId: string;
  readonly evalSetId: string;
  /** Seconds since 1970. */
  readonly creationTimestamp: number;
  readonly evalCaseResults: readonly EvalCaseResult[];
}

/** Where the eval sets of applications are kept, with the results of their evaluations. */
export abstract class EvalStore {
  /** The ids of the sets, sorted. */
  abstract listSets(appName: string): Awaitable<readonly string[]>;
  abstract getSet(appName: string, evalSetId: string): Awaitable<EvalSet | undefined>;
  /** Keeps a set in place of the one with its id. */
  abstract saveSet(appName: string, set: EvalSet): Awaitable<void>;
  abstract deleteSet(appName: string, evalSetId: string): Awaitable<void>;
  /** The ids of the results, the latest first. */
  abstract listResults(appName: string): Awaitable<readonly string[]>;
  abstract getResult(appName: string, id: string): Awaitable<EvalSetResult | undefined>;
  abstract saveResult(appName: string, result: EvalSetResult): Awaitable<void>;
}

/** Eval sets of this process. */
export class InMemoryEvalStore extends EvalStore {
  private readonly sets = new Map<string, EvalSet>();
  private readonly results = new Map<string, EvalSetResult>();

  listSets(appName: string): readonly string[] {
    return idsIn(this.sets, appName).sort();
  }

  getSet(appName: string, evalSetId: string): EvalSet | undefined {
    return this.sets.get(keyOf(appName, evalSetId));
  }

  saveSet(appName: string, set: EvalSet): void {
    this.sets.set(keyOf(appName, set.evalSetId), set);
  }

  deleteSet(appName: string, evalSetId: string): void {
    this.sets.delete(keyOf(appName, evalSetId));
  }

  listResults(appName: string): readonly string[] {
    return idsIn(this.results, appName).reverse();
  }

  getResult(appName: string, id: string): EvalSetResult | undefined {
    return this.results.get(keyOf(appName, id));
  }

  saveResult(appName: string, result: EvalSetResult): void {
    this.results.set(keyOf(appName, result.evalSetResultId), result);
  }
}

function keyOf(appName: string, id: string): string {
  return composedKey(appName, id);
}

function idsIn(map: ReadonlyMap<string, unknown>, appName: string): string[] {
  return [...map.keys()].flatMap((key) => {
    const [app, id = ''] = composedParts(key);
    return app === appName ? [id] : [];
  });
}
