import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { Runner } from 'adorn';

/** Serves the studio until Ctrl-C, at port 8000 or a free one. Opens a browser where there is one. */
export async function openStudio(runner: Runner): Promise<void> {
  const { serve } = await import('@adorn/server');
  const { FolderEvalStore } = await import('@adorn/eval');
  const evals = { store: new FolderEvalStore(fileURLToPath(new URL('../evals', import.meta.url))) };
  const server = await serve(runner, { evals }).catch((error: unknown) => {
    if (isPortTaken(error)) return serve(runner, { evals, port: 0 });
    throw error;
  });
  console.log(`Studio: ${server.pageUrl}`);
  console.log('Ctrl-C ends it. `npm run chat` talks in the terminal.');
  if (hasBrowser()) openBrowser(server.pageUrl);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await server.close();
}

/**
 * Serves the same conversations to two people, each at an address of its own: a customer, and a supervisor who approves large refunds.
 * Whoever opens the address is that person, which is for trying only: in a shop, `authenticate` reads a session.
 */
export async function openDesk(runner: Runner): Promise<void> {
  const { serve } = await import('@adorn/server');
  const customer = await serve(runner, { port: 0, authenticate: () => ({ id: 'ada' }) });
  const supervisor = await serve(runner, {
    port: 0,
    authenticate: () => ({ id: 'sam', roles: ['supervisor'] }),
  });
  console.log(`Customer:   ${customer.url}`);
  console.log(`Supervisor: ${supervisor.url} (Inbox)`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await Promise.all([customer.close(), supervisor.close()]);
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

function hasBrowser(): boolean {
  const { CI, SSH_CONNECTION, DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (CI !== undefined || SSH_CONNECTION !== undefined) return false;
  return process.platform !== 'linux' || DISPLAY !== undefined || WAYLAND_DISPLAY !== undefined;
}

/** The address is printed too, so a browser that does not open is no fault. */
function openBrowser(url: string): void {
  const commands: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
    darwin: ['open', url],
    win32: ['rundll32', 'url.dll,FileProtocolHandler', url],
  };
  const [command, ...args] = commands[process.platform] ?? ['xdg-open', url];
  const browser = spawn(command, args, { stdio: 'ignore', detached: true });
  browser.on('error', () => undefined);
  browser.unref();
}
