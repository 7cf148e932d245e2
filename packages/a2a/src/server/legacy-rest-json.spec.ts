import {
  decodeMessageParams,
  decodeWebhook,
  encodeResult,
  encodeTask,
  encodeWebhook,
} from './legacy-rest-json.js';

type Task = Parameters<typeof encodeTask>[0];

describe('the JSON of revision 0.3 over HTTP', () => {
  const message = { kind: 'message', messageId: 'm1', role: 'agent', parts: [{ kind: 'text', text: 'hi' }] };
  const encoded = { messageId: 'm1', role: 'ROLE_AGENT', content: [{ text: 'hi' }] };

  it('has a message, a task and updates by their names', () => {
    const ids = { taskId: 't1', contextId: 's1' };
    const artifact = { artifactId: 'a1', parts: [{ kind: 'data', data: { a: 1 } }] };
    const status = { state: 'completed', message, timestamp: 'now' };
    const encodedStatus = { state: 'TASK_STATE_COMPLETED', update: encoded, timestamp: 'now' };

    expect(encodeResult(message)).toEqual({ msg: encoded });
    expect(
      encodeResult({
        kind: 'task',
        id: 't1',
        contextId: 's1',
        status,
        artifacts: [artifact],
        history: [message],
      }),
    ).toEqual({
      task: {
        ...{ id: 't1', contextId: 's1', status: encodedStatus },
        artifacts: [{ artifactId: 'a1', parts: [{ data: { data: { a: 1 } } }] }],
        history: [encoded],
      },
    });
    expect(encodeResult({ kind: 'status-update', ...ids, final: true, status })).toEqual({
      statusUpdate: { ...ids, final: true, status: encodedStatus },
    });
    expect(encodeResult({ kind: 'artifact-update', ...ids, append: true, artifact })).toEqual({
      artifactUpdate: {
        ...ids,
        append: true,
        artifact: { artifactId: 'a1', parts: [{ data: { data: { a: 1 } } }] },
      },
    });
  });

  it.each([
    ['submitted', 'TASK_STATE_SUBMITTED'],
    ['input-required', 'TASK_STATE_INPUT_REQUIRED'],
    ['canceled', 'TASK_STATE_CANCELLED'],
    ['unknown', 'TASK_STATE_UNSPECIFIED'],
  ])('calls the state %s %s', (state, name) => {
    const task = encodeTask({ kind: 'task', id: 't1', contextId: 's1', status: { state } } as Task);

    expect(task).toEqual({ id: 't1', contextId: 's1', status: { state: name }, artifacts: [], history: [] });
  });

  it.each([
    [
      { uri: 'https://a', mimeType: 'image/png', name: 'a' },
      { fileWithUri: 'https://a', mimeType: 'image/png', name: 'a' },
    ],
    [{ bytes: 'YQ==' }, { fileWithBytes: 'YQ==', mimeType: '', name: '' }],
  ])('has the file %j', (file, json) => {
    const part = { kind: 'file', file };

    expect(encodeResult({ ...message, role: 'user', parts: [part] })).toEqual({
      msg: { messageId: 'm1', role: 'ROLE_USER', content: [{ file: json }] },
    });
    expect(partIn({ content: [{ file: json }] })).toMatchObject(part);
  });

  it('names a webhook by its place', () => {
    const config = { url: 'https://a', id: 'w1' };

    expect(encodeWebhook({ taskId: 't1', pushNotificationConfig: config })).toEqual({
      name: 'tasks/t1/pushNotificationConfigs/w1',
      pushNotificationConfig: config,
    });
    expect(encodeWebhook({ taskId: 't1', pushNotificationConfig: { url: 'https://a' } })['name']).toBe(
      'tasks/t1/pushNotificationConfigs/',
    );
  });

  it('may have the names of either encoding, and those of Protocol Buffers', () => {
    const parts = [{ kind: 'text', text: 'hi' }];
    const decoded = { kind: 'message', messageId: 'm1', role: 'user', parts };

    for (const given of [
      { message: { messageId: 'm1', role: 'user', parts } },
      {
        request: { message_id: 'm1', role: 'ROLE_USER', content: [{ text: 'hi' }] },
        message: { messageId: 'm2' },
      },
      { message: { message_id: 'm1', parts: [{ text: 'hi' }] } },
    ])
      expect(decodeMessageParams(given)).toMatchObject({ message: decoded });
  });

  it.each([
    ['ROLE_AGENT', 'agent'],
    ['agent', 'agent'],
    [2, 'agent'],
    [1, 'user'],
    [undefined, 'user'],
  ])('reads the role %j as %s', (role, name) => {
    expect(decodeMessageParams({ message: { role, parts: [] } }).message.role).toBe(name);
  });

  it('keeps the names in metadata and data, which are those of the sender', () => {
    const metadata = { some_key: { other_key: 1 } };
    const { message: read, metadata: kept } = decodeMessageParams({
      metadata,
      message: { content: [{ data: { data: { my_key: 1 } } }, { data: { my_key: 2 } }] },
    });

    expect(kept).toEqual(metadata);
    expect(read.parts).toEqual([
      { kind: 'data', data: { my_key: 1 } },
      { kind: 'data', data: { my_key: 2 } },
    ]);
    expect(partIn({ parts: [{ kind: 'data', data: { data: { a: 1 } } }] })).toEqual({
      kind: 'data',
      data: { data: { a: 1 } },
    });
    expect(decodeMessageParams({ message: { parts: [] }, metadata: [1] }).metadata).toBeUndefined();
  });

  it('reads zero and an empty object as absent', () => {
    const configured = (configuration: object) =>
      decodeMessageParams({ message: { parts: [] }, configuration }).configuration;

    expect(configured({ history_length: 0 })?.historyLength).toBeUndefined();
    expect(configured({ historyLength: 3, push_notification: { url: 'https://a' } })).toMatchObject({
      historyLength: 3,
      pushNotificationConfig: { url: 'https://a' },
    });
    expect(decodeMessageParams({ message: { parts: [] } }).configuration).toBeUndefined();
    expect(decodeWebhook({ pushNotificationConfig: { url: 'https://a', authentication: {} } })).toEqual({
      url: 'https://a',
    });
  });

  it('has a webhook itself, or in the place of a task', () => {
    const config = { url: 'https://a', token: 't', authentication: { schemes: ['Bearer'] } };

    expect(decodeWebhook({ pushNotificationConfig: config })).toEqual(config);
    expect(decodeWebhook({ config: { name: 'x', push_notification_config: config } })).toEqual(config);
  });

  it.each<[object, string]>([
    [{}, 'message is missing.'],
    [{ message: 'hi' }, 'message is missing.'],
    [{ message: [] }, 'message is missing.'],
    [{ message: null }, 'message is missing.'],
    [{ message: {} }, 'message.parts is missing.'],
    [{ message: { parts: { 0: {} } } }, 'message.parts is missing.'],
    [{ message: { parts: [null] } }, 'A part of message.parts is neither text, nor a file, nor data.'],
    [{ message: { parts: [{ text: 7 }] } }, 'A part of message.parts is neither text'],
    [{ message: { parts: [{ data: [1] }] } }, 'A part of message.parts is neither text'],
    [
      { message: { parts: [{ file: { bytes: 7 } }] } },
      'A file of message.parts has neither bytes nor a URI.',
    ],
  ])('is refused: %j', (body, text) => {
    expect(() => decodeMessageParams({ ...body })).toThrow(text);
  });

  it.each([
    [{}],
    [{ pushNotificationConfig: {} }],
    [{ config: { url: 'https://a' } }],
    [{ pushNotificationConfig: { url: 7 } }],
  ])('is no webhook: %j', (body) => {
    expect(() => decodeWebhook(body)).toThrow('pushNotificationConfig.url is missing.');
  });

  it('takes nothing but texts as names of a file', () => {
    const part = partIn({ parts: [{ file: { fileWithBytes: 'YQ==', mime_type: 7, name: {} } }] });

    expect(part).toEqual({ kind: 'file', file: { bytes: 'YQ==' } });
  });
});

function partIn(message: object): unknown {
  return decodeMessageParams({ message }).message.parts[0];
}
