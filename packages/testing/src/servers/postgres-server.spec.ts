/** @slow */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** Starts a server that ends with its process, and tells its folder and its process. */
const PROGRAM = `
  const { readFileSync } = await import('node:fs');
  const { PostgresServer } = await import('@adorn/testing/servers');
  const server = await PostgresServer.start({ settings: { fsync: 'off' }, endsWithProcess: true });
  const folder = new URL(server.url()).searchParams.get('host');
  const [pid] = readFileSync(folder + '/data/postmaster.pid', 'utf8').split('\\n');
  console.log(JSON.stringify({ folder, pid }));
`;

describe('a PostgreSQL server that ends with its process', () => {
  it.each([
    ['exits', '', undefined],
    ['is killed', 'await new Promise((resolve) => setInterval(resolve, 2 ** 30));', 'SIGKILL'],
  ] as const)('is gone, and its data with it, when the process %s', async (_how, wait, signal) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM + wait], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    const { folder, pid } = JSON.parse(said.toString()) as { readonly folder: string; readonly pid: string };

    if (signal !== undefined) child.kill(signal);
    expect(await ended).toEqual(signal === undefined ? [0, null] : [null, signal]);

    while (existsSync(folder)) await setTimeout(50);
    expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
  });
});
