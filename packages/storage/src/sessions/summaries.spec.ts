import { sessionCompaction } from '@adorn/compaction';
import { agent, ContainerModule, createRunner, LlmAgent, type Runner, SessionService } from '@adorn/core';
import { eventsOf, says, ScriptedModel } from '@adorn/testing';

import { describeEachDatabase } from '../database/backends.fixture.js';
import type { Database } from '../database/database.js';
import { SqlSessionService } from './sql-session.service.js';

const address = { userId: 'ada', sessionId: 's1' };
const SUMMARY = '[Summary of earlier conversation]\nThey met.';

describeEachDatabase((_name, open) => {
  let database: Database;

  beforeEach(async () => {
    database = await open();
  });

  it('a summary is seen by who loads the conversation later, and by who had loaded it before', async () => {
    const before = await start(database, ['a', 'd']);
    await say(before.runner, '0');
    const summing = await start(database, ['b', 'They met.'], true);
    await say(summing.runner, '1');
    await summing.runner.close();

    const later = await start(database, ['c']);
    await say(later.runner, '2');
    await say(before.runner, '3');

    expect(sent(later.model)).toEqual([SUMMARY, '2']);
    expect(sent(before.model)).toEqual([SUMMARY, '2', 'c', '3']);
  });

  it('a summary stands behind what another process said meanwhile, and not where that rewound', async () => {
    const other = await start(database, ['b', 'c', 'd']);
    const summing = await start(database, ['a', 'They met.'], true);
    const summarised = summing.model.whenAsked(2, async () => {
      await say(other.runner, '1');
    });
    await say(summing.runner, '0');
    await summarised;
    await summing.runner.close();
    await say(other.runner, '2');
    expect(sent(other.model)).toEqual([SUMMARY, '1', 'b', '2']);

    const again = await start(database, ['e', 'They met twice.'], true);
    const events = await say(again.runner, '3');
    const undone = again.model.whenAsked(2, () =>
      other.runner.rewind({ ...address, invocationId: events[0]!.invocationId }).then(() => undefined),
    );
    await undone;
    await again.runner.close();
    await say(other.runner, '4');
    expect(sent(other.model)).toEqual([SUMMARY, '1', 'b', '2', 'c', '4']);
  });
});

/** A process of its own, as far as its store goes. */
async function start(database: Database, answers: readonly string[], isSumming = false) {
  const model = new AskedModel(...answers.map(says));
  const modules = [
    sessionCompaction,
    new ContainerModule(({ bind }) => {
      bind(SessionService).toConstantValue(new SqlSessionService(database));
    }),
  ];
  const compaction = { compactionInterval: 1, overlapSize: 0 };
  const runner = await createRunner(Clerk, { model, modules, ...(isSumming && { compaction }) });
  return { runner, model };
}

function say(runner: Runner, message: string) {
  return eventsOf(runner.run({ ...address, message }));
}

function sent(model: ScriptedModel): (string | undefined)[] {
  return model.requests.at(-1)?.contents.flatMap(({ parts = [] }) => parts.map(({ text }) => text)) ?? [];
}

/** Does something before it answers for the so manieth time. */
class AskedModel extends ScriptedModel {
  private pause:
    { readonly call: number; readonly work: () => Promise<void>; readonly done: () => void } | undefined;

  whenAsked(call: number, work: () => Promise<unknown>): Promise<void> {
    return new Promise((done) => {
      this.pause = { call, work: () => work().then(() => undefined), done };
    });
  }

  override async *generate(request: Parameters<ScriptedModel['generate']>[0]) {
    const { pause } = this;
    if (pause?.call === this.requests.length + 1) {
      await pause.work();
      pause.done();
    }
    yield* super.generate(request);
  }
}

@agent({ description: '' })
class Clerk extends LlmAgent {}
