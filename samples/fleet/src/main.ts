import { once } from 'node:events';

import { PostgresServer, RestateServer } from '@adorn/testing/servers';
import { reportFailure } from 'adorn/main';

import { laterNode } from './later-node.js';
import { type LocalProcess, startProcess } from './local-process.js';

const WORKERS = 3;

/**
 * `node build/main.js [--restate]`: a server and three workers as processes of this machine, until Ctrl-C. The database is that
 * of `DATABASE_URL`, else one in a new PostgreSQL, which goes with it.
 */
async function main(): Promise<void> {
  const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  const node = laterNode();
  const engines = new Engines();
  const processes: LocalProcess[] = [];
  try {
    const env = { ...process.env, ...(await engines.start(process.argv.includes('--restate'))) };
    const start = async (name: string, PORT?: string): Promise<LocalProcess> => {
      const started = startProcess(name, { execPath: node, env: { ...env, PORT } });
      processes.push(started);
      await started.ready;
      return started;
    };
    const starting = Promise.all([
      start('server', process.env['PORT'] ?? '0'),
      ...Array.from({ length: WORKERS }, () => start('worker')),
    ]);
    const server = await Promise.race([starting.then(([first]) => first), interrupted.then(noProcess)]);
    if (server === undefined) return;
    console.log(instructions((await server.ready).replace('Server at ', '')));
    await interrupted;
  } finally {
    await Promise.all(processes.map((started) => started.end()));
    await engines.stop();
    console.log('All processes have ended.');
  }
}

function instructions(url: string): string {
  return `Send a message:
  curl ${url}/sessions/s1/messages --json '{"message": "Track order W1017"}'
See what happens, from the first event on:
  curl -N ${url}/sessions/s1/events
Ctrl-C ends all processes.`;
}

function noProcess(): undefined {
  return undefined;
}

/** PostgreSQL, and Restate if it is asked for. */
class Engines {
  private postgres: PostgresServer | undefined;
  private restate: RestateServer | undefined;

  /** The variables that tell the machines where they are. */
  async start(withRestate: boolean): Promise<NodeJS.ProcessEnv> {
    const env: NodeJS.ProcessEnv = {};
    if (process.env['DATABASE_URL'] === undefined) {
      const settings = { max_connections: '300' };
      this.postgres = await PostgresServer.start({ settings });
      env['DATABASE_URL'] = this.postgres.url();
    }
    if (withRestate) {
      this.restate = await RestateServer.start();
      env['RESTATE_INGRESS'] = this.restate.ingress;
      env['RESTATE_ADMIN'] = this.restate.admin;
      env['RESTATE_WORKERS'] = 'http://127.0.0.1:9080';
    }
    return env;
  }

  async stop(): Promise<void> {
    await this.restate?.stop();
    await this.postgres?.stop();
  }
}

main().catch(reportFailure);
