import { developerRoute, jsonBody, optionalJson } from './connection.js';

/** A turn of a case: expected, or as it was. */
export interface EvalTurn {
  readonly userContent: EvalContent;
  readonly finalResponse?: EvalContent;
  readonly intermediateData?: { readonly toolUses?: readonly EvalCall[] };
}

interface EvalContent {
  readonly parts?: readonly { readonly text?: string }[];
}

interface EvalCall {
  readonly name?: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

/** A case of an eval set. */
export interface EvalCase {
  readonly evalId: string;
  readonly conversation: readonly EvalTurn[];
}

/** A score of a case or a turn. `evalStatus`: 1 passed, 2 failed, 3 nothing was expected. */
export interface EvalScore {
  readonly metricName: string;
  readonly threshold: number;
  readonly score?: number;
  readonly evalStatus: number;
  readonly error?: string;
}

/** A case that was played. */
export interface EvalResult {
  readonly evalId: string;
  readonly finalEvalStatus: number;
  readonly error?: string;
  readonly overallEvalMetricResults: readonly EvalScore[];
  readonly evalMetricResultPerInvocation: readonly {
    readonly actualInvocation: EvalTurn;
    readonly expectedInvocation: EvalTurn;
    readonly evalMetricResults: readonly EvalScore[];
  }[];
}

/** The metrics of the page: the calls as expected, and most words of the answer. */
const METRICS = [
  { metricName: 'tool_trajectory_avg_score', threshold: 1 },
  { metricName: 'response_match_score', threshold: 0.7 },
];

/** The eval sets of an application on the server. */
export class EvalSets {
  constructor(private readonly app: string) {}

  /** Undefined if the server keeps none. */
  list(): Promise<string[] | undefined> {
    return optionalJson(this.path());
  }

  async cases(set: string): Promise<readonly EvalCase[]> {
    const found = await optionalJson<{ readonly evalCases: readonly EvalCase[] }>(this.path(set));
    return found?.evalCases ?? [];
  }

  async create(set: string): Promise<void> {
    await optionalJson(this.path(), jsonBody({ evalSet: { evalSetId: set, evalCases: [] } }));
  }

  /** Keeps a conversation as a case: what was is what is expected. */
  async addSession(set: string, evalId: string, sessionId: string): Promise<void> {
    await optionalJson(`${this.path(set)}/add_session`, jsonBody({ evalId, sessionId }));
  }

  async remove(set: string, evalId: string): Promise<void> {
    await optionalJson(`${this.path(set)}/evals/${encodeURIComponent(evalId)}`, { method: 'DELETE' });
  }

  async run(set: string): Promise<readonly EvalResult[]> {
    const body = jsonBody({ evalMetrics: METRICS });
    return (await optionalJson<EvalResult[]>(`${this.path(set)}/run_eval`, body)) ?? [];
  }

  private path(set?: string): string {
    const sets = developerRoute(this.app, '/eval_sets');
    return set === undefined ? sets : `${sets}/${encodeURIComponent(set)}`;
  }
}
