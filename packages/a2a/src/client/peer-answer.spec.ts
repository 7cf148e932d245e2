import { type Message, type StreamResponse, type Task, TaskState } from '@a2a-js/sdk';

import { dataPart, textPart } from '../protocol/parts.js';
import { begunBy, begunByUpdate, endingOf, questionOf } from './peer-answer.js';

const message = {
  messageId: 'm1',
  contextId: 's1',
  parts: [textPart('hi\u202e there')],
} as unknown as Message;
const task = { id: 't1', contextId: 's1', artifacts: [] } as unknown as Task;

describe('the answer of a peer', () => {
  it('begins a task, or is the whole answer without hidden characters', () => {
    expect(begunBy(task)).toEqual({ taskId: 't1', contextId: 's1' });
    expect(begunBy(message)).toEqual({ contextId: 's1', parts: [{ text: 'hi there' }] });
    expect(() => begunBy({ ...task, id: '' })).toThrow('its task has no id');
  });

  it.each(['statusUpdate', 'artifactUpdate'] as const)('begins a task with a %s', ($case) => {
    const update = { payload: { $case, value: { taskId: 't1', contextId: 's1' } } } as StreamResponse;

    expect(begunByUpdate(update)).toEqual({ taskId: 't1', contextId: 's1' });
  });

  it('begins with a task or a message of a stream, and not with an empty update', () => {
    const begun = [
      begunByUpdate({ payload: { $case: 'task', value: task } }),
      begunByUpdate({ payload: { $case: 'message', value: message } }),
    ];

    expect(begun).toEqual([begunBy(task), begunBy(message)]);
    expect(() => begunByUpdate({ payload: undefined })).toThrow('the first update of its stream is empty');
  });

  it('is the artifacts of a completed task, and else what its status says', () => {
    const artifacts = [{ parts: [textPart('a\u200b')] }, { parts: [dataPart(1)] }];
    const ending = (state: TaskState | undefined, given: object[]) =>
      endingOf({ ...task, artifacts: given, status: state && { state, message } } as unknown as Task);

    expect(ending(TaskState.TASK_STATE_COMPLETED, artifacts)).toEqual({
      state: TaskState.TASK_STATE_COMPLETED,
      parts: [{ text: 'a' }, { text: '1' }],
    });
    expect(ending(TaskState.TASK_STATE_COMPLETED, []).parts).toEqual([{ text: 'hi there' }]);
    expect(ending(TaskState.TASK_STATE_FAILED, artifacts).parts).toEqual([{ text: 'hi there' }]);
    expect(ending(undefined, artifacts)).toEqual({ state: TaskState.TASK_STATE_UNSPECIFIED, parts: [] });
  });

  it('may be a question with the first schema among its data', () => {
    const schema = { type: 'string' };
    const parts = [
      textPart('Size?'),
      dataPart(null),
      dataPart({ schema: [1] }),
      dataPart({ schema, note: 'a\u202e' }),
    ];

    expect(questionOf('input', { ...message, parts })).toEqual({
      message: 'Size?',
      schema,
      payload: [null, { schema: [1] }, { schema, note: 'a' }],
    });
    expect(questionOf('input', { ...message, parts: [textPart('Size?')] })).toEqual({ message: 'Size?' });
    expect(questionOf('input', undefined)).toEqual({ message: '' });
  });

  it('may be a question for an authorization, of which a long one is cut', () => {
    const said = questionOf('auth', { ...message, parts: [textPart('x'.repeat(3_000))] });

    expect(said).toEqual({
      message: `The remote agent needs an authorization: ${'x'.repeat(2_000)}… Answer when it was granted.`,
    });
  });
});
