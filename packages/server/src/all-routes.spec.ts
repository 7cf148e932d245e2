import { readFileSync } from 'node:fs';

import { Hono } from 'hono';

import type { ServerEnv } from './access/server-env.js';
import { apiRoutes } from './api/api-routes.js';
import type { ServerContext } from './server-context.js';
import { agUiRoutes } from './ui/ag-ui-routes.js';
import { uiMessageRoutes } from './ui/ui-message-routes.js';

const PAGE = readFileSync('packages/docs/server.md', 'utf8');
const [, section = ''] = PAGE.split('## All routes\n');
const [text = ''] = section.split('\n## ');

it('has each route below /adorn on its page, and no other', () => {
  const app = new Hono<ServerEnv>();
  const server = {} as ServerContext; // Routes read it when they are called.
  for (const add of [apiRoutes, uiMessageRoutes, agUiRoutes]) add(app, server);
  const existing = app.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path}`);

  const developers = /^Developers(.*?)\. Beside/ms.exec(text)?.[1] ?? '';
  const isForDevelopers = (route: string): boolean =>
    developers.includes(`\`/${route.split('/').at(-1) ?? ''}\``);

  expect([...new Set(existing)].filter((route) => !isForDevelopers(route)).sort()).toEqual(
    tableRoutes().sort(),
  );
});

/** `GET /adorn/apps/:app/inbox`, for each method and path of the table. */
function tableRoutes(): string[] {
  const rows = [...text.matchAll(/^\| ([A-Z, ]+) \| (`[^|]+`) \|/gm)];
  return rows.flatMap(([, methods = '', paths = '']) =>
    methods
      .split(', ')
      .flatMap((method) =>
        [...paths.matchAll(/`([^`]+)`/g)].map(([, path = '']) =>
          path.startsWith('/adorn') ? `${method} ${path}` : `${method} /adorn/apps/:app${path}`,
        ),
      ),
  );
}
