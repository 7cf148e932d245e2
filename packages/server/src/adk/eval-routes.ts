import type { EvalCase, EvalCriteria, EvalReport, EvalSet, EvalSetResult } from '@adorn/eval';
import type { Context, Hono } from 'hono';

import { type Caller, userOf } from '../access/caller.js';
import type { ServerEnv } from '../access/server-env.js';
import { NotFoundError, RequestInvalidError } from '../errors.js';
import { RequestBody } from '../http/request-body.js';
import { addressed, bodyOf, type ServerContext } from '../server-context.js';
import type { EvalOptions } from '../server-options.js';
import { adkSession } from './adk-json.js';
import { wireCaseResult, wireRunResult } from './eval-json.js';

type RouteContext = Context<ServerEnv>;

/** Evaluations for developers, as adk-web calls them. The paths with hyphens are those of Google's newer servers. */
export function evalRoutes(app: Hono<ServerEnv>, server: ServerContext, options: EvalOptions): void {
  const evals = new EvalEndpoint(server, options);
  for (const sets of ['/dev/apps/:app/eval_sets', '/dev/apps/:app/eval-sets']) {
    app.get(sets, (c) => evals.list(c));
    app.post(sets, (c) => evals.create(c));
    app.get(`${sets}/:set`, async (c) => c.json(await evals.set(c)));
    app.delete(`${sets}/:set`, (c) => evals.delete(c));
    app.get(`${sets}/:set/evals`, async (c) => c.json(idsOf(await evals.set(c))));
    app.post(`${sets}/:set/add_session`, (c) => evals.addSession(c));
    app.get(`${sets}/:set/evals/:case`, async (c) => c.json((await evals.case(c)).found));
    app.put(`${sets}/:set/evals/:case`, (c) => evals.saveCase(c));
    app.delete(`${sets}/:set/evals/:case`, (c) => evals.deleteCase(c));
    app.post(`${sets}/:set/run_eval`, (c) => evals.run(c));
    app.post(`${sets}/:set/run`, (c) => evals.run(c));
  }
  app.get('/dev/apps/:app/eval_results', (c) => evals.listResults(c));
  app.get('/dev/apps/:app/eval_results/:result', (c) => evals.result(c));
  app.get('/dev/apps/:app/metrics-info', (c) => evals.metrics(c));
}

class EvalEndpoint {
  constructor(
    private readonly server: ServerContext,
    private readonly options: EvalOptions,
  ) {}

  async list(c: RouteContext): Promise<Response> {
    return c.json(await this.options.store.listSets(this.app(c)));
  }

  async create(c: RouteContext): Promise<Response> {
    const { parseEvalSet } = await import('@adorn/eval');
    const body = await bodyOf(this.server, c);
    const given = body.object('evalSet');
    // A set of a file may have no id; one of a request needs it.
    RequestBody.of(given).text('evalSetId');
    const set = parseEvalSet(given, 'of the request');
    await this.options.store.saveSet(this.app(c), { ...set, creationTimestamp: Date.now() / 1000 });
    return c.json(set);
  }

  async set(c: RouteContext): Promise<EvalSet> {
    const id = c.req.param('set') ?? '';
    const set = await this.options.store.getSet(this.app(c), id);
    if (set === undefined) throw new NotFoundError(`Eval set not found: ${id}`);
    return set;
  }

  async delete(c: RouteContext): Promise<Response> {
    const { evalSetId } = await this.set(c);
    await this.options.store.deleteSet(this.app(c), evalSetId);
    return c.json({});
  }

  async case(c: RouteContext): Promise<{ readonly set: EvalSet; readonly found: EvalCase }> {
    const set = await this.set(c);
    const id = c.req.param('case') ?? '';
    const found = set.evalCases.find(({ evalId }) => evalId === id);
    if (found === undefined) throw new NotFoundError(`Eval case not found: ${id}`);
    return { set, found };
  }

  async saveCase(c: RouteContext): Promise<Response> {
    const { parseEvalCase } = await import('@adorn/eval');
    const { set, found } = await this.case(c);
    const body = await bodyOf(this.server, c);
    const given = { evalId: found.evalId, conversation: body.value('conversation') };
    const changed = parseEvalCase({ ...given, sessionInput: body.value('sessionInput') }, 'of the request');
    const evalCases = set.evalCases.map((one) => (one === found ? { ...found, ...changed } : one));
    await this.options.store.saveSet(this.app(c), { ...set, evalCases });
    return c.json(changed);
  }

  async deleteCase(c: RouteContext): Promise<Response> {
    const { set, found } = await this.case(c);
    const evalCases = set.evalCases.filter((one) => one !== found);
    await this.options.store.saveSet(this.app(c), { ...set, evalCases });
    return c.json({});
  }

  /** Adds a conversation to a set: what was is what is expected. A case with its id is replaced. */
  async addSession(c: RouteContext): Promise<Response> {
    const { evalCaseOf } = await import('@adorn/eval');
    const { runner } = addressed(this.server, c);
    const set = await this.set(c);
    const body = await bodyOf(this.server, c);
    const [evalId, sessionId] = [body.text('evalId'), body.text('sessionId')];
    const userId = userOf(c.get('caller'), body.optionalText('userId'));
    const session = await runner.sessions.getSession({ appName: runner.appName, userId, sessionId });
    if (session === undefined) throw new NotFoundError(`Session not found: ${sessionId}`);
    const added = evalCaseOf(evalId, session);
    if (added.conversation.length === 0)
      throw new RequestInvalidError('the session has no message of the user', 'Talk to the agent first.');
    const evalCases = [...set.evalCases.filter((one) => one.evalId !== evalId), added];
    await this.options.store.saveSet(this.app(c), { ...set, evalCases });
    return c.json({});
  }

  async run(c: RouteContext): Promise<Response> {
    const { evaluate, metricsOf, simulatedUser } = await import('@adorn/eval');
    const { judge } = this.options;
    const { runner, caller } = addressed(this.server, c);
    const set = await this.set(c);
    const body = await bodyOf(this.server, c);
    const cases = (body.optionalList('evalIds') ?? body.optionalList('evalCaseIds'))?.map(String) ?? [];
    const report = await evaluate(
      runner,
      { ...set, evalCases: set.evalCases.map(playedBy(caller)) },
      {
        metrics: await metricsOf(criteriaIn(body), () => this.judge()),
        user: judge && simulatedUser({ model: judge }),
        cases: cases.length > 0 ? cases : undefined,
        // The page opens the sessions in which the cases were played.
        ...{ keepSessions: true, signal: c.req.raw.signal },
      },
    );
    await this.keep(runner.appName, report);
    return c.json(report.caseResults.map(wireRunResult));
  }

  async listResults(c: RouteContext): Promise<Response> {
    return c.json(await this.options.store.listResults(this.app(c)));
  }

  async result(c: RouteContext): Promise<Response> {
    const { runner, caller } = addressed(this.server, c);
    const id = c.req.param('result') ?? '';
    const result = await this.options.store.getResult(runner.appName, id);
    if (result === undefined) throw new NotFoundError(`Eval result not found: ${id}`);
    const evalCaseResults = await Promise.all(
      result.evalCaseResults.map(async (one) => {
        const { userId, sessionId } = one;
        const isOwn = caller.isAnyUser || userId === caller.userId;
        const key = { appName: runner.appName, userId, sessionId };
        const session = isOwn ? await runner.sessions.getSession(key) : undefined;
        return { ...wireCaseResult(one), sessionDetails: session && adkSession(session) };
      }),
    );
    return c.json({ ...result, evalSetResultName: id, evalCaseResults });
  }

  async metrics(c: RouteContext): Promise<Response> {
    this.app(c);
    const { METRIC_DESCRIPTIONS } = await import('@adorn/eval');
    const interval = { minValue: 0, openAtMin: false, maxValue: 1, openAtMax: false };
    const metricsInfo = OFFERED.map((metricName) => ({
      ...{ metricName, description: METRIC_DESCRIPTIONS[metricName] },
      metricValueInfo: { interval },
    }));
    return c.json({ metricsInfo });
  }

  private async keep(appName: string, { evalSetId, caseResults }: EvalReport): Promise<void> {
    const creationTimestamp = Date.now() / 1000;
    // The page makes this id of the three.
    const evalSetResultId = `${appName}_${evalSetId}_${String(creationTimestamp)}`;
    const result: EvalSetResult = {
      evalSetResultId,
      evalSetId,
      creationTimestamp,
      evalCaseResults: caseResults,
    };
    await this.options.store.saveResult(appName, result);
  }

  private judge() {
    const { judge } = this.options;
    if (judge) return judge;
    throw new RequestInvalidError(
      'the metric needs a model that judges',
      'Pass evals.judge to the server, or choose other metrics.',
    );
  }

  /** @throws {NotFoundError} */
  private app(c: RouteContext): string {
    return addressed(this.server, c).runner.appName;
  }
}

/** The metrics that need nothing but a threshold. */
const OFFERED = ['tool_trajectory_avg_score', 'response_match_score', 'final_response_match_v2'];

/** A case that is played as a user for whom the caller may speak. */
function playedBy({ userId: own, isAnyUser }: Caller): (evalCase: EvalCase) => EvalCase {
  return (evalCase) => {
    const { sessionInput } = evalCase;
    const userId = isAnyUser ? (sessionInput?.userId ?? own) : own;
    return { ...evalCase, sessionInput: { ...sessionInput, userId } };
  };
}

function idsOf({ evalCases }: EvalSet): string[] {
  return evalCases.map(({ evalId }) => evalId);
}

/** `evalMetrics: [{ metricName, threshold }]`. */
function criteriaIn(body: RequestBody): EvalCriteria {
  const metrics = body.optionalList('evalMetrics') ?? [];
  if (metrics.length === 0)
    throw new RequestInvalidError('"evalMetrics" is absent or empty', 'Name a metric.', 'evalMetrics');
  return Object.fromEntries(
    metrics.map((one) => {
      const metric = RequestBody.of(one !== null && typeof one === 'object' ? { ...one } : {});
      const name = metric.text('metricName');
      const criterion = metric.optionalObject('criterion');
      const threshold = metric.value('threshold') ?? criterion?.['threshold'];
      return [name, { ...criterion, threshold }];
    }),
  );
}
