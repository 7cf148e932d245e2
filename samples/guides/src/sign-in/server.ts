import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

import { adornHandler, pathAfterSignIn, toNodeHandler } from '@adorn/server';
import type { Runner } from 'adorn';

import { page } from './page.js';
import type { People } from './people.js';
import type { SignInSessions } from './sessions.js';

/** A server with a sign-in page, whose sessions open the studio and all routes of the agents at `/studio`. */
export async function openServer(runner: Runner, people: People, sessions: SignInSessions): Promise<Server> {
  const whoSends = (cookies: string | null | undefined) => people.find(sessions.nameOf(cookies));
  const handler = await adornHandler(runner, {
    basePath: '/studio',
    page: true,
    signIn: '/login',
    authenticate: ({ headers }) => whoSends(headers.get('cookie')),
  });
  const answerStudio = toNodeHandler(handler);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = ''] = (request.url ?? '').split('?');
    if (path === '/studio' || path.startsWith('/studio/')) return answerStudio(request, response);
    response.setHeader('cache-control', 'no-store');
    switch (`${request.method ?? ''} ${path}`) {
      case 'GET /':
        page(response, 200, { name: whoSends(request.headers.cookie)?.id });
        break;
      case 'GET /login':
        page(response, 200, { hasForm: true });
        break;
      case 'POST /login':
      case 'POST /logout':
        if (!isOwnForm(request)) page(response, 403);
        else if (path === '/login') await signIn(request, response);
        else signOut(request, response);
        break;
      default:
        page(response, 404);
    }
  }

  async function signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = await readForm(request);
    const name = form.get('name') ?? '';
    if (!(await people.hasPassword(name, form.get('password') ?? ''))) {
      page(response, 401, { hasForm: true });
      return;
    }
    // The session that the browser had ends: its id may be known to somebody else.
    sessions.close(request.headers.cookie);
    const location = pathAfterSignIn(request.url, '/studio/');
    response.writeHead(303, { 'set-cookie': sessions.open(name), location }).end();
  }

  function signOut({ headers }: IncomingMessage, response: ServerResponse): void {
    response.writeHead(303, { 'set-cookie': sessions.close(headers.cookie), location: '/' }).end();
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  });
  server.on('upgrade', (request, socket, head) => void handler.upgrade(request, socket, head));
  return server.on('close', () => void handler.close());
}

/** False for a form of another page: browsers say with each POST from where it comes, and pages of other ports send cookies, too. */
function isOwnForm({ headers: { origin, host } }: IncomingMessage): boolean {
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) {
    body += String(chunk);
    if (body.length > 4_096) throw new Error('the form is too large');
  }
  return new URLSearchParams(body);
}
