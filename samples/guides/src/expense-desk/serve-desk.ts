import { type AdornServer, serve } from '@adorn/server';
import type { Runner } from 'adorn';

const EMPLOYEES: Readonly<Record<string, readonly string[]>> = {
  ada: [],
  ben: [],
  mia: ['manager'],
  max: ['manager'],
};

/** Who sent a request. In a company, the session of its single sign-on says so. */
function authenticate({ headers }: Request) {
  const [, id = ''] = /(?:^|; )user=(\w+)/.exec(headers.get('cookie') ?? '') ?? [];
  const roles = EMPLOYEES[id];
  return roles && { id, roles };
}

/** Serves the desk: employees talk to it, and managers find in the inbox what they approve. */
export function serveDesk(runner: Runner, port: number): Promise<AdornServer> {
  return serve(runner, { port, authenticate });
}
