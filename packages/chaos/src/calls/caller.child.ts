import { once } from 'node:events';
import { writeSync } from 'node:fs';

import {
  AdornError,
  ContainerModule,
  createRunner,
  defineAgent,
  type Event,
  Model,
  type ModelRequest,
  type ModelResponse,
  type PendingRequest,
  type RunConfig,
  SessionService,
} from '@adorn/core';
import { Database } from '@adorn/storage';

import { ADDRESS, APP } from './call-log.js';
import { countingTool, MARKS, nameOf } from './counting-tools.js';
import { MortalSessionService } from './mortal-sessions.js';

/**
 * `caller.child.js URL EFFECTS TOOL STEP [OPTION...]`: each event that is given to it is said as `event ID`.
 *
 * - `drive [MOMENT] [message]` begins or resumes the session, or sends it another message, and approves what waits, until
 *   nothing waits; dies at the moment.
 * - `ask [MS]` calls the tool, whose approval expires after so long, and says `request JSON`.
 * - `answer TIMES REQUEST` says `ready`, waits for a line, approves so many times at once, and says `outcome CODE` each.
 *
 * Ends with `pending JSON`.
 */
const [url = '', effects = '', toolName = '', step = '', first = '', second = ''] = process.argv.slice(2);

/** Asks until the tool has answered: a run that goes on in another process finds everything in the history. */
class CallingModel extends Model {
  readonly name = 'calling';

  async *generate({ contents }: ModelRequest): AsyncGenerator<ModelResponse> {
    const parts = contents.flatMap(({ parts: each = [] }) => each);
    const responses = parts.flatMap(({ functionResponse }) => functionResponse?.response ?? []);
    const part =
      responses.length > 0
        ? { text: `told ${JSON.stringify(responses)}` }
        : { functionCall: { name: toolName, args: {} } };
    yield { content: { role: 'model', parts: [part] } };
  }
}

/** The process that ran before is dead, not slow. */
const SOLE: RunConfig = { takeOverAfter: 0 };
/** More rounds of questions than any case needs. */
const MOST_ROUNDS = 5;

const database = new Database(url);
const sessions = new MortalSessionService(database, toolName, reach);
const tools = MARKS.flatMap((mark) => [false, true].map((isConfirmed) => ({ mark, isConfirmed })))
  .filter((tool) => nameOf(tool) === toolName)
  .map((tool) => countingTool(tool, effects, reach));
const agent = defineAgent({ name: APP, description: 'Calls a tool.', tools });
const runner = await createRunner(agent, {
  model: new CallingModel(),
  modules: [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions))],
});

if (step === 'drive') await drive();
else if (step === 'ask') await ask();
else await answer(JSON.parse(second) as PendingRequest, Number(first));
say(`pending ${JSON.stringify(await runner.pending(ADDRESS))}`);
await runner.close();
await database.close();

async function drive(): Promise<void> {
  const session = await sessions.getSession({ appName: APP, ...ADDRESS });
  if (!session || session.events.length === 0) {
    await tell(runner.run({ ...ADDRESS, message: 'Go.', config: SOLE }));
  } else if (second === 'message') {
    await tell(runner.run({ ...ADDRESS, message: 'And?', config: SOLE }));
  } else {
    const outcome = await outcomeOf(runner.resume({ ...ADDRESS, config: SOLE }));
    if (outcome !== 'ok' && outcome !== 'NOTHING_TO_RESUME') throw new Error(`resume: ${outcome}`);
  }
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const requests = await runner.pending(ADDRESS);
    if (requests.length === 0) return;
    reach('paused');
    for (const request of requests) await tell(runner.approve(request, { config: SOLE }));
  }
}

async function ask(): Promise<void> {
  const config = first === '' ? {} : { confirmationExpiresAfter: Number(first) };
  await tell(runner.run({ ...ADDRESS, message: 'Go.', config }));
}

async function answer(request: PendingRequest, times: number): Promise<void> {
  say('ready');
  await once(process.stdin, 'data');
  process.stdin.destroy();
  const outcomes = await Promise.all(Array.from({ length: times }, () => approve(request)));
  for (const outcome of outcomes) say(`outcome ${outcome}`);
}

/** Approves as a client does: again, where a run of another process took the session over. */
async function approve(request: PendingRequest): Promise<string> {
  for (;;) {
    const outcome = await outcomeOf(runner.approve(request));
    if (outcome !== 'SESSION_TAKEN_OVER') return outcome;
  }
}

async function outcomeOf(run: AsyncIterable<Event>): Promise<string> {
  try {
    await tell(run);
    return 'ok';
  } catch (error) {
    if (AdornError.is(error)) return error.code;
    throw error;
  }
}

async function tell(run: AsyncIterable<Event>): Promise<void> {
  for await (const { id } of run) say(`event ${id}`);
}

function say(line: string): void {
  writeSync(1, `${line}\n`);
}

/** Ends the process as the loss of power would if this is its moment. */
function reach(moment: string): void {
  if (step !== 'drive' || moment !== first) return;
  process.kill(process.pid, 'SIGKILL');
  // No statement runs between the signal and the end.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
