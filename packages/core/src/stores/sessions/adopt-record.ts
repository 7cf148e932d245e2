import type { Principal } from '../../approvals/principal.js';
import { functionCallsOf, functionResponsesOf, hasWords } from '../../events/content-parts.js';
import type { Content } from '../../events/genai-types.js';
import type { Event } from '../../events/event.js';
import { runPathOf } from '../../events/event-place.js';
import { withoutRemark } from '../../events/remark.js';
import { withImportedAnswers } from '../../events/imported-answer.js';
import { isRequestName } from '../../events/pending-request.js';
import { requesterToStore, saysRequester, withRequester } from '../../events/requester.js';
import { withoutUndo } from '../../events/undo-mark.js';
import type { SessionRecord } from './session-record.js';

/**
 * A record of a session without what a log cannot prove: who began its runs, and who approved its calls. The importer is the
 * requester of all of them, under whatever user the session was; calls that have not run ask again, and none can be undone.
 *
 * @param userId the user under whom it is imported
 */
export function adoptedRecord(record: SessionRecord, importer: Principal, userId: string): SessionRecord {
  const requester = requesterToStore(importer, userId);
  return { ...record, events: record.events.map((event) => adopted(provable(event), requester)) };
}

/** Without receipts and remarks: what a log of somebody else says that a tool has returned is nothing to undo. */
function provable(stored: Event): Event {
  const event = withoutRemark(stored);
  const customMetadata = withoutUndo(event.customMetadata);
  return customMetadata === event.customMetadata ? event : event.with({ customMetadata });
}

function adopted(event: Event, requester: Principal | undefined): Event {
  const { content } = event;
  if (event.author !== 'user')
    return functionCallsOf(content).some(({ name }) => isRequestName(name))
      ? event.with({ content: content && withRequesterOf(content, requester) })
      : event;
  const isMessage = content !== undefined && hasWords(content) && runPathOf(event) === undefined;
  const isAnswer = functionResponsesOf(content).length > 0;
  if (!isMessage && !isAnswer && !saysRequester(event)) return event;
  return event.with({
    content: content && withImportedAnswers(content),
    customMetadata: withRequester(event.customMetadata, requester),
  });
}

/** The requests in a content, of the requester. */
function withRequesterOf({ parts = [], ...content }: Content, requester: Principal | undefined): Content {
  return {
    ...content,
    parts: parts.map((part) => {
      const { functionCall } = part;
      if (functionCall === undefined || !isRequestName(functionCall.name)) return part;
      const { requester: _claimed, ...args } = functionCall.args ?? {};
      return { ...part, functionCall: { ...functionCall, args: requester ? { ...args, requester } : args } };
    }),
  };
}
