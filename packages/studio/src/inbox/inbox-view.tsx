import { Answering, RequestForm } from '../conversation/request-form.js';
import { SignInLink } from '../page/sign-in-link.js';
import { agoText } from '../page/words.js';
import { findTool } from '../server/app-graph.js';
import { answerInInbox, inbox, type InboxRequest, keyOf, lastAnswer } from '../server/inbox.js';

/** What waits for the person at this page in the sessions of all users, with a form for each request. */
export function InboxView() {
  const requests = inbox.value ?? [];
  return (
    <div class="inbox" role="region" aria-label="Inbox">
      <Outcome />
      {requests.length === 0 && <p class="empty">Nothing waits for you.</p>}
      <ul class="inbox-entries">
        {requests.map((request) => (
          <Entry key={keyOf(request)} request={request} />
        ))}
      </ul>
    </div>
  );
}

function Entry({ request }: { readonly request: InboxRequest }) {
  const { tool, userId, requester, askedAt, quorum } = request;
  return (
    <li class="inbox-entry" data-request={request.id}>
      <p class="inbox-head">
        <strong>{tool}</strong>
        {requester !== undefined && requester.id !== userId && <span>in the session of {userId}</span>}
        <time dateTime={new Date(askedAt * 1000).toISOString()}>{agoText(askedAt)}</time>
        {quorum.needed > 1 && (
          <span class="inbox-quorum">
            {quorum.approved} of {quorum.needed} have approved
          </span>
        )}
      </p>
      <Answering.Provider value={(_request, decision) => void answerInInbox(request, decision)}>
        <RequestForm
          request={request}
          tool={findTool(tool)}
          by={requester?.id ?? userId}
          isInInbox
          hasApproved={quorum.hasApproved === true}
        />
      </Answering.Provider>
    </li>
  );
}

function Outcome() {
  const answered = lastAnswer.value;
  if (answered === undefined) return null;
  const { text, fault } = answered;
  if (fault === undefined) return <p class="inbox-outcome">{text}</p>;
  return (
    <div class="failure" role="alert">
      <strong>{fault.code}</strong>
      <p>
        {text}: {fault.message}
      </p>
      <SignInLink fault={fault} />
    </div>
  );
}
