import fc from 'fast-check';

/** A request that a server must withstand. */
export interface FuzzedRequest {
  readonly path: string;
  readonly method: string;
  readonly body: string;
  readonly user: string;
  readonly lastEventId: string;
}

const SEGMENTS = [
  ...[
    'apps',
    'desk',
    'users',
    'ada',
    'sessions',
    's1',
    'artifacts',
    'versions',
    '0',
    'adorn',
    'runs',
    'requests',
    'dev',
    'debug',
  ],
  ...[
    'trace',
    'session',
    'graph',
    'tools',
    'calls',
    'explain',
    'fork',
    'rewind',
    'export',
    'import',
    'run',
    'run_sse',
    'list-apps',
  ],
  ...[
    '..',
    '%00',
    '%',
    '%2F',
    '%2e%2e',
    '__proto__',
    'constructor',
    '\u{1F600}',
    'x'.repeat(600),
    '%E0%A4%A',
    'note.txt',
    '',
  ],
];

const ROUTES = [
  '/adorn/apps/desk/ui-messages',
  '/adorn/apps/desk/ag-ui',
  '/adorn/apps/desk/ag-ui/s1',
  '/adorn/apps/desk/ui-messages/s1',
  '/adorn/apps/desk/ui-messages/s1/stream',
  ...[
    '/run',
    '/run_sse',
    '/api/reasoning_engine',
    '/apps/desk/users/ada/sessions',
    '/apps/desk/users/ada/sessions/s1',
  ],
  ...['/adorn/apps/desk/sessions', '/adorn/apps/desk/sessions/s1', '/adorn/apps/desk/sessions/s1/runs'],
  ...[
    '/adorn/apps/desk/sessions/s1/requests/r',
    '/adorn/apps/desk/sessions/s1/calls',
    '/adorn/apps/desk/sessions/s1/explain',
  ],
  ...['/adorn/apps/desk/sessions/s1/fork', '/adorn/apps/desk/sessions/s1/rewind', '/adorn/apps/desk/import'],
  ...['/dev/apps/desk/eval_sets', '/dev/apps/desk/eval_sets/set/add_session', '/dev/apps/desk/eval_results'],
  ...['/dev/apps/desk/eval_sets/set/run_eval', '/dev/apps/desk/eval_sets/set/evals/case'],
];

const FIELDS = [
  ...[
    'evalSet',
    'evalSetId',
    'evalCases',
    'evalId',
    'evalIds',
    'evalMetrics',
    'conversation',
    'sessionInput',
  ],
  'messages',
  'threadId',
  'runId',
  'resume',
  'trigger',
  'answer',
  ...[
    'appName',
    'userId',
    'sessionId',
    'newMessage',
    'streaming',
    'stateDelta',
    'invocationId',
    'functionCallEventId',
    'state',
  ],
  ...[
    'events',
    'message',
    'decision',
    'args',
    'tool',
    'value',
    'at',
    'title',
    'id',
    'lines',
    'input',
    'remember',
    'session_id',
  ],
];

const LIKELY = fc.constantFrom<unknown>(
  ...[
    'desk',
    'ada',
    'dev',
    's1',
    'Hi',
    'approve',
    'supply',
    'find_order',
    '',
    null,
    true,
    0,
    -1,
    1e300,
    [],
    {},
    [null],
    [[]],
  ],
  ...[
    { parts: [] },
    { parts: [null] },
    { role: 'user', parts: [{ text: 'Hi' }] },
    { parts: [{ text: 7 }] },
    { parts: 'Hi' },
  ],
  ...[
    { role: 'model', parts: [{ functionCall: {} }] },
    { parts: [{ functionResponse: { id: 'x' } }] },
    { parts: [{ inlineData: {} }] },
  ],
  ...[
    { 'app:x': 1 },
    { __proto__: { x: 1 } },
    { k: { deep: [[[[{}]]]] } },
    'x'.repeat(5_000),
    '\u0000',
    '\ud800',
  ],
);

const WELL_FORMED = [
  {
    id: 's1',
    threadId: 's1',
    runId: 'r',
    messages: [{ role: 'user', content: 'Hi', parts: [{ type: 'text', text: 'Hi' }] }],
  },
  { sessionId: 's1', newMessage: { role: 'user', parts: [{ text: 'Hi' }] } },
  { message: 'Hi', decision: 'approve', tool: 'find_order', args: { orderId: 'A' } },
  {
    ...{ evalId: 'case', evalSet: { evalSetId: 'set', evalCases: [{ evalId: 'case', conversation: [{}] }] } },
    evalMetrics: [{ metricName: 'response_match_score', threshold: 1 }],
    conversation: [{ userContent: { parts: [{ text: 'Hi' }] } }],
  },
];

const body = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...WELL_FORMED).map((value) => JSON.stringify(value)) },
  {
    weight: 6,
    arbitrary: fc
      .dictionary(fc.constantFrom(...FIELDS), fc.oneof(LIKELY, fc.jsonValue()))
      .map((value) => JSON.stringify(value)),
  },
  { weight: 1, arbitrary: fc.string() },
  { weight: 1, arbitrary: fc.json() },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      'null',
      '{"__proto__":{"x":1}}',
      '{',
      '[]',
      '['.repeat(20_000),
      '{"state":'.repeat(2_000),
    ),
  },
);

/** Requests at random: of every method, to routes that exist and to others, with bodies that fit, and with hostile ones. */
export const fuzzedRequest: fc.Arbitrary<FuzzedRequest> = fc.record({
  path: fc.oneof(
    fc.constantFrom(...ROUTES),
    fc.array(fc.constantFrom(...SEGMENTS), { maxLength: 9 }).map((parts) => `/${parts.join('/')}`),
  ),
  method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'QUERY'),
  body,
  user: fc.constantFrom('ada', 'dev', '', 'x'.repeat(600)),
  lastEventId: fc.constantFrom('', 'x', '0'),
});
