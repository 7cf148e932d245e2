import type { Feedback } from '@adorn/core/backend';
import { useState } from 'preact/hooks';

import { IconButton } from '../page/icon.js';
import { feedback, giveFeedback, ownFeedback } from '../server/open-session.js';

/** Whether an answer is good or bad, for the person at the page to say, and what others have said of it. */
export function AnswerFeedback({ eventId }: { readonly eventId: string }) {
  const own = ownFeedback(eventId);
  const others = feedback.value.filter((one) => one.eventId === eventId && one !== own);
  const give = (score: number) => void giveFeedback(eventId, { score: own?.score === score ? null : score });
  return (
    <div class={own || others.length > 0 ? 'feedback is-given' : 'feedback'}>
      <IconButton icon="like" label="A good answer" pressed={own?.score === 1} onClick={() => give(1)} />
      <IconButton icon="dislike" label="A bad answer" pressed={own?.score === 0} onClick={() => give(0)} />
      {own && <Comment key={own.score} own={own} />}
      {others.map((one) => (
        <p key={`${one.by.tenant ?? ''} ${one.by.id}`} class="feedback-said">
          {said(one)}
        </p>
      ))}
    </div>
  );
}

/** Why the answer is good or bad, in words. */
function Comment({ own }: { readonly own: Feedback }) {
  const [comment, setComment] = useState(own.comment ?? '');
  const { eventId, score, label } = own;
  const store = (event: Event) => {
    event.preventDefault();
    void giveFeedback(eventId, { score, label, comment: comment.trim() || undefined });
  };
  return (
    <form class="feedback-form" onSubmit={store}>
      <input
        type="text"
        value={comment}
        maxLength={4_000}
        placeholder="Why?"
        aria-label="Why"
        onInput={({ currentTarget }) => setComment(currentTarget.value)}
      />
      {comment.trim() !== (own.comment ?? '') && (
        <button type="submit" class="button">
          Save
        </button>
      )}
    </form>
  );
}

/** `mia: good, "Exactly."` */
function said({ by, score, label, comment }: Feedback): string {
  const verdict = score === 1 ? 'good' : score === 0 ? 'bad' : String(score);
  const words = comment === undefined ? undefined : `“${comment}”`;
  return `${by.id}: ${[verdict, label, words].filter((text) => text !== undefined).join(', ')}`;
}
