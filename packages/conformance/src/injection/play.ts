import {
  ContainerModule,
  createRunner,
  defineAgent,
  Logger,
  type PendingRequest,
  type RunResult,
} from '@adorn/core';

import { QuietLogger } from '../quiet-logger.js';
import { GullibleModel } from './gullible-model.js';
import type { Protection } from './protection.js';
import { type Environment, type RanCall, toolOf, type UserTask } from './world.js';

/** What came of a task. */
export interface Played {
  readonly ran: readonly RanCall[];
  readonly answer: string;
  /** How often a person was asked, about what the task needs and about what it does not need. */
  readonly questions: { readonly wanted: number; readonly others: number };
  /** Calls that were refused without asking. */
  readonly refused: number;
}

/** Plays a task. A person approves what the task of the user needs, and rejects everything else. */
export async function play(
  { open }: Environment,
  task: UserTask,
  protection: Protection,
  injected: string,
): Promise<Played> {
  const world = open(injected);
  const model = new GullibleModel(task);
  const tools = world.tools.map((tool) => toolOf(protection.declare(tool)));
  const agent = defineAgent({ name: 'assistant', model, tools });
  await using runner = await createRunner(agent, {
    plugins: protection.plugins(),
    modules: [new ContainerModule(({ bind }) => void bind(Logger).toConstantValue(new QuietLogger()))],
  });
  const questions = { wanted: 0, others: 0 };
  const address = { userId: 'ada', sessionId: 'task' };
  let result: RunResult<unknown> = await runner.run({ ...address, message: task.message });
  while (result.status === 'paused') {
    const [request] = result.pending as readonly [PendingRequest];
    const isWanted = model.wanted.some(
      ({ name, args }) => name === request.tool && JSON.stringify(args) === JSON.stringify(request.args),
    );
    questions[isWanted ? 'wanted' : 'others']++;
    result = await (isWanted
      ? runner.approve(request)
      : runner.reject(request, { reason: 'Nobody asked for it.' }));
  }
  if (result.status === 'failed') throw new Error(`the run failed: ${JSON.stringify(result.error)}`);
  const session = await runner.sessions.getSession({ appName: runner.appName, ...address });
  const responses = (session?.events ?? []).flatMap(({ functionResponses }) => functionResponses);
  const refused = responses.filter(({ response }) => response?.['error'] === 'tool call was denied').length;
  return { ran: world.ran, answer: result.text, questions, refused };
}
