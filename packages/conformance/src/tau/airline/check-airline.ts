import { callsFunctions, type GeminiRequest, saysText, startGeminiEmulator } from '@adorn/testing';
import { ContainerModule, createRunner, GeminiModel } from 'adorn';

import { messageOf } from '../../message-of.js';
import type { Check, CheckGroup } from '../../check.js';
import { findDifference } from '../../find-difference.js';
import { checkDeclarations } from '../declarations.js';
import { type GoldStep, type GoldTask, readBenchmark } from '../gold-tasks.js';
import { AirlineAgent } from './airline.agent.js';
import { FlightDesk } from './flight-desk.js';

/** The declarations of the airline tools, and the published calls: each must reach its method, and its answer the model. */
export async function checkAirline(fixtures: string): Promise<CheckGroup[]> {
  const { tools, tasks } = readBenchmark(fixtures, 'airline');
  const requests: GeminiRequest[] = [];
  const calls: Check[] = [];
  for (const task of tasks) {
    try {
      const replay = await replayCalls(task);
      requests.push(...replay.requests);
      calls.push(...checkCalls(task, replay));
    } catch (error) {
      calls.push({ what: `task ${task.id}`, fault: messageOf(error) });
    }
  }
  return [
    { name: 'declarations', checks: checkDeclarations(tools, requests) },
    { name: 'calls', checks: calls },
  ];
}

interface Replay {
  readonly heard: readonly Pick<GoldStep, 'name' | 'args'>[];
  readonly answers: readonly unknown[];
  readonly requests: readonly GeminiRequest[];
}

/** Hears each call, and answers with the published text. */
export class RecordingDesk extends FlightDesk {
  readonly heard: Pick<GoldStep, 'name' | 'args'>[] = [];

  constructor(private readonly steps: readonly GoldStep[]) {
    super();
  }

  override answer(name: string, args: Readonly<Record<string, unknown>>): string {
    this.heard.push({ name, args });
    return this.steps[this.heard.length - 1]?.output ?? '';
  }
}

async function replayCalls({ id, instruction, steps }: GoldTask): Promise<Replay> {
  const desk = new RecordingDesk(steps);
  const calls = steps.map((step) => callsFunctions(step));
  await using gemini = await startGeminiEmulator([...calls, saysText('That is all done.')]);
  await using runner = await createRunner(AirlineAgent, {
    model: new GeminiModel({ apiKey: 'x', baseUrl: gemini.url, retry: { attempts: 1 } }),
    modules: [new ContainerModule(({ bind }) => void bind(FlightDesk).toConstantValue(desk))],
  });
  const { events } = await runner.run({ userId: 'customer', sessionId: id, message: instruction });
  const responses = events.flatMap(({ functionResponses }) => functionResponses);
  return {
    heard: desk.heard,
    answers: responses.map(({ response }) => response?.['result'] ?? response),
    requests: gemini.requests,
  };
}

function checkCalls({ id, steps }: GoldTask, { heard, answers }: Replay): Check[] {
  return steps.map(({ name, args, output }, index) => ({
    what: `task ${id}, call ${String(index + 1)} (${name})`,
    fault: findDifference({ name, args }, heard[index]) ?? findDifference(output, answers[index]),
  }));
}
