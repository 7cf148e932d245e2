import { Event } from '@adorn/core';
import type { EventFields } from '@adorn/core/backend';

import { renderEvent } from './render-event.js';

describe('renderEvent', () => {
  it('shows text as it is, and each call and result on one line', () => {
    expect(lines({ parts: [{ text: 'One\nTwo' }] })).toEqual(['One', 'Two']);
    expect(
      lines({ parts: [{ functionCall: { id: 'c1', name: 'refund', args: { orderId: 'W1', cents: 500 } } }] }),
    ).toEqual(['→ refund(orderId: "W1", cents: 500)']);
    expect(
      lines({ parts: [{ functionResponse: { id: 'c1', name: 'refund', response: { status: 'ok' } } }] }),
    ).toEqual(['← {status: "ok"} 12 ms']);
  });

  it('says whose a result is where there are several', () => {
    const parts = ['one', 'two'].map((name) => ({
      functionResponse: { id: name, name, response: { result: 1 } },
    }));

    expect(lines({ parts })).toEqual(['← one {result: 1}', '← two {result: 1}']);
  });

  it('cuts what is too long, and leaves the time', () => {
    const response = { text: 'x'.repeat(500) };

    const [line = ''] = lines({ parts: [{ functionResponse: { id: 'c1', name: 'read', response } }] });

    expect(line).toMatch(/^← \{text: "x+… 12 ms$/);
    expect(line).toHaveLength(60);
  });

  it('leaves out questions to people, results that are to come, and text that was streamed', () => {
    expect(
      lines({ parts: [{ functionCall: { id: 'r1', name: 'adk_request_confirmation', args: {} } }] }),
    ).toEqual([]);
    expect(
      lines({
        parts: [
          {
            functionResponse: {
              id: 'c1',
              name: 'refund',
              response: { status: 'pending' },
              willContinue: true,
            },
          },
        ],
      }),
    ).toEqual([]);
    expect(renderEvent(eventOf({ parts: [{ text: 'Hi' }] }), { width: 60, withoutText: true })).toEqual([]);
  });

  it('shows the progress of a tool, and the ticket of one whose result comes later', () => {
    const functionResponse = {
      id: 'c1',
      name: 'print',
      response: { status: 'pending', page: 1 },
      willContinue: true,
    };
    const content = { parts: [{ functionResponse }] };

    expect(renderEvent(eventOf(content, { partial: true }), { width: 60 })).toEqual([
      { tone: 'note', text: '… print {status: "pending", page: 1}' },
    ]);
    expect(renderEvent(eventOf(content, { longRunningToolIds: ['c1'] }), { width: 60 })).toEqual([
      { tone: 'result', text: '← {status: "pending", page: 1}' },
    ]);
  });

  it('tells of hand-overs and faults, in the tone of each', () => {
    const fault = { errorCode: 'SAFETY', errorMessage: 'Blocked.' };

    expect(renderEvent(eventOf({}, { actions: { transferToAgent: 'billing' } }), { width: 60 })).toEqual([
      { tone: 'note', text: '» billing takes over' },
    ]);
    expect(renderEvent(eventOf({}, fault), { width: 60 })).toEqual([
      { tone: 'failure', text: '✗ Blocked. (SAFETY)' },
    ]);
  });
});

function eventOf(content: NonNullable<EventFields['content']>, fields: Partial<EventFields> = {}): Event {
  return new Event({ invocationId: 'e-1', author: 'support', content, ...fields });
}

function lines(content: NonNullable<EventFields['content']>): string[] {
  const tookOf = (id: string): number | undefined => (id === 'c1' ? 12 : undefined);
  return renderEvent(eventOf(content), { width: 60, tookOf }).map(({ text }) => text);
}
