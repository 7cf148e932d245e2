/**
 * Tools of a server, by name, with the fields of their definitions that differ from the default: any arguments, and a hint
 * that the tool destroys nothing.
 */
export type FixtureTools = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * The program of an MCP server without any library, for `node -e`. Its tools do what their names say; `tools` is what it
 * lists at first, and `later` after a call of `change`.
 */
export function serverProgram(tools: FixtureTools = {}, later: FixtureTools = tools): string {
  return `const FIRST = ${JSON.stringify(tools)};\nconst LATER = ${JSON.stringify(later)};\n(${String(serve)})(FIRST, LATER);`;
}

/** Arguments for a server that runs a program. */
export function argsOf(program: string): string[] {
  return ['-e', program];
}

/** Runs in the child process: uses nothing from here. */
function serve(first: FixtureTools, later: FixtureTools): void {
  let tools = first;
  let lastId = 0;
  const answers = new Map<number, (message: Record<string, unknown>) => void>();
  const send = (message: object): void => {
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  const ask = (method: string, params: unknown): Promise<Record<string, unknown>> =>
    new Promise((resolve) => {
      const id = ++lastId;
      answers.set(id, resolve);
      send({ id, method, params });
    });
  const text = (said: string): object => ({ content: [{ type: 'text', text: said }] });
  const elicit = async (message: string): Promise<unknown> => {
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    const answer = await ask('elicitation/create', { message, requestedSchema });
    return answer['result'] ?? answer['error'];
  };
  let charges = 0;
  let refusals = 0;
  const bodies: Record<string, (args: Record<string, unknown>) => unknown> = {
    echo: (args) => text(String(args['message'])),
    pid: () => text(String(process.pid)),
    fail: () => ({ ...text('no such file'), isError: true }),
    crash: () => process.exit(1),
    kill: () => process.kill(process.pid, 'SIGKILL'),
    hang: () => new Promise(() => undefined),
    huge: () => text('x'.repeat(12_000_000)),
    noise: () => {
      process.stdout.write('Listening …\n{"half": \n');
      return text('heard');
    },
    change: () => {
      tools = later;
      send({ method: 'notifications/tools/list_changed' });
      return text('changed');
    },
    ask: async () => text(JSON.stringify(await elicit('Your name?'))),
    charge: async () => {
      charges++;
      return text(JSON.stringify([await elicit('Your name?'), await elicit('Your dog?')]));
    },
    impatient: () => {
      void elicit('Your name?');
      return new Promise((resolve) => setTimeout(resolve, 50, text('done without an answer')));
    },
    visit: async ({ url }) => {
      const params = { mode: 'url', message: 'Sign in.', elicitationId: 'e1', url };
      const answer = await ask('elicitation/create', params);
      return text(JSON.stringify(answer['result'] ?? answer['error']));
    },
    signIn: ({ url, times = 1 }) => {
      if (++refusals > Number(times)) return text(`signed in after ${String(refusals - 1)}`);
      const elicitations = [{ mode: 'url', message: 'Sign in.', elicitationId: 'e1', url }];
      return Promise.reject(
        Object.assign(new Error('Sign in first'), { code: -32042, data: { elicitations } }),
      );
    },
    charges: () => text(String(charges)),
    patient: async () => {
      await elicit('Your name?');
      return new Promise(() => undefined);
    },
    sample: async () => {
      const messages = [{ role: 'user', content: { type: 'text', text: 'Say hello.' } }];
      const answer = await ask('sampling/createMessage', {
        messages,
        maxTokens: 50,
        systemPrompt: 'Be brief.',
      });
      return text(JSON.stringify(answer['result'] ?? answer['error']));
    },
    nothing: () => null,
    odd: () => ({ content: 'no list', structuredContent: 7 }),
  };
  const cancelled: unknown[] = [];
  const tasks = new Map<unknown, { result: Promise<unknown>; asked: number }>();
  const taskBody = (name: string, args: Record<string, unknown>): Promise<unknown> => {
    if (name !== 'study') return Promise.resolve(bodies[name]?.(args));
    // Ends once its state was asked for twice.
    return new Promise((resolve) => {
      const timer = setInterval(() => {
        if ((tasks.get('t1')?.asked ?? 0) < 2) return;
        clearInterval(timer);
        resolve(text('studied'));
      }, 10);
    });
  };
  bodies['cancelled'] = () => text(JSON.stringify(cancelled));
  const handle = async (message: Record<string, unknown>): Promise<void> => {
    const {
      id,
      method,
      params = {},
    } = message as { id?: number; method?: string; params?: Record<string, unknown> };
    if (method === undefined) answers.get(Number(id))?.(message);
    else if (method === 'initialize')
      send({
        id,
        result: {
          protocolVersion: params['protocolVersion'],
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name: 'fixture', version: '1' },
        },
      });
    else if (method === 'tools/list')
      send({
        id,
        result: {
          tools: Object.entries(tools).map(([name, fields]) => ({
            name,
            inputSchema: { type: 'object' },
            annotations: { destructiveHint: false },
            ...fields,
          })),
        },
      });
    else if (method === 'tools/call' && params['task'] !== undefined) {
      const taskId = params['name'] === 'noTask' ? undefined : `t${String(tasks.size + 1)}`;
      const args = (params['arguments'] ?? {}) as Record<string, unknown>;
      tasks.set(taskId, { result: taskBody(String(params['name']), args), asked: 0 });
      send({
        id,
        result: { task: { taskId, status: 'working', statusMessage: 'Begun.', pollInterval: 100 } },
      });
    } else if (method === 'tasks/get') {
      const task = tasks.get(params['taskId']);
      if (task !== undefined) task.asked++;
      send({ id, result: { ...params, status: 'working', statusMessage: `Asked ${String(task?.asked)}.` } });
    } else if (method === 'tasks/result') {
      send({ id, result: await tasks.get(params['taskId'])?.result });
    } else if (method === 'tasks/cancel') {
      cancelled.push(params['taskId']);
      send({ id, result: { ...params, status: 'cancelled' } });
    } else if (method === 'tools/call') {
      const { progressToken } = (params['_meta'] ?? {}) as { progressToken?: number };
      if (progressToken !== undefined) {
        send({
          method: 'notifications/progress',
          params: { progressToken, progress: 1, total: 2, message: 'begun' },
        });
        // In one piece with the result, it would come too late to count as progress.
        await new Promise((resolve) => setTimeout(resolve, 150));
      }
      let result: unknown;
      try {
        result = await bodies[String(params['name'])]?.(
          (params['arguments'] ?? {}) as Record<string, unknown>,
        );
      } catch (error) {
        const { code, message, data } = error as { code: number; message: string; data: unknown };
        send({ id, error: { code, message, data } });
        return;
      }
      if (result === undefined) send({ id, error: { code: -32602, message: 'Unknown tool' } });
      else send({ id, result });
    } else if (method === 'notifications/cancelled') cancelled.push(params['reason']);
    else if (id !== undefined) send({ id, error: { code: -32601, message: 'Method not found' } });
  };
  process.stderr.write('fixture server\n');
  let rest = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) void handle(JSON.parse(line) as Record<string, unknown>);
  });
  process.stdin.on('end', () => process.exit(0));
}
