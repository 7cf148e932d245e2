import { useEffect, useRef, useState } from 'preact/hooks';

import { eventId, select, sessionId } from '../page/address.js';
import { Icon } from '../page/icon.js';
import { SignInLink } from '../page/sign-in-link.js';
import { activeRun, fault, isLoading, pending, thread } from '../server/open-session.js';
import { AnswerFeedback } from './answer-feedback.js';
import { CallCard } from './call-card.js';
import { Markdown } from './markdown.js';
import { Start } from './start.js';
import type { FileItem, MessageItem, ThreadItem } from './thread.js';

/** Entries that are rendered at first, and that each step to the top adds. */
const STEP = 120;
/** Pixels from the end within which the reader counts as being at the end. */
const NEAR_END = 60;

/** The conversation of the session on the page. It follows its end while the reader is there. */
export function Conversation() {
  const items = thread.value;
  const scroller = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const lastTop = useRef(0);
  const [shown, setShown] = useState(STEP);
  const visible = items.slice(-shown);

  useEffect(() => {
    setShown(STEP);
    isAtEnd.current = true;
  }, [sessionId.value]);
  useEffect(() => {
    const [element, content] = [scroller.current, scroller.current?.firstElementChild];
    if (element === null || content === null || !content) return;
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) element.scrollTop = element.scrollHeight;
    });
    observer.observe(content);
    observer.observe(element);
    return () => observer.disconnect();
  }, [items.length === 0]);
  useEffect(() => {
    if (eventId.value === undefined) return;
    scroller.current
      ?.querySelector(`[data-event="${CSS.escape(eventId.value)}"]`)
      ?.scrollIntoView({ block: 'nearest' });
  }, [eventId.value]);

  const onScroll = () => {
    const element = scroller.current;
    if (element === null) return;
    // Only the reader scrolls up; what is added below leaves the place as it is.
    const wasUp = element.scrollTop < lastTop.current;
    lastTop.current = element.scrollTop;
    const isNear = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END;
    isAtEnd.current = isNear || (isAtEnd.current && !wasUp);
    if (element.scrollTop > 200 || shown >= items.length) return;
    const height = element.scrollHeight;
    setShown(shown + STEP);
    requestAnimationFrame(() => (element.scrollTop += element.scrollHeight - height));
  };

  if (items.length === 0 && !isLoading.value) return <Start />;
  return (
    <div
      class="conversation"
      ref={scroller}
      onScroll={onScroll}
      tabIndex={0}
      role="region"
      aria-label="Conversation"
    >
      <div class="thread" role="log" aria-label="Messages" aria-busy={activeRun.value !== undefined}>
        {visible.length < items.length && (
          <p class="thread-more">{items.length - visible.length} earlier entries: scroll up</p>
        )}
        {visible.map((item, index) => (
          <Entry key={item.key} item={item} showsAuthor={authorOf(item) !== authorOf(visible[index - 1])} />
        ))}
        <Progress last={items.at(-1)} />
        <Failure />
      </div>
    </div>
  );
}

function authorOf(item: ThreadItem | undefined): string | undefined {
  return item && 'author' in item ? item.author : undefined;
}

function Entry({ item, showsAuthor }: { readonly item: ThreadItem; readonly showsAuthor: boolean }) {
  const isSelected = item.eventId !== '' && eventId.value === item.eventId;
  const isOfUser = authorOf(item) === 'user';
  const author = authorOf(item);
  return (
    <div
      class={`entry entry-${item.kind}${isOfUser ? ' is-user' : ''}${isSelected ? ' is-selected' : ''}`}
      data-event={item.eventId}
    >
      {showsAuthor && author !== undefined && !isOfUser && <p class="author">{author}</p>}
      <EntryBody item={item} />
    </div>
  );
}

function EntryBody({ item }: { readonly item: ThreadItem }) {
  switch (item.kind) {
    case 'message':
      return <Message item={item} />;
    case 'file':
      return <File item={item} />;
    case 'call':
      return <CallCard item={item} />;
    case 'transfer':
      return (
        <p class="transfer">
          <span>{item.author}</span>
          <Icon name="arrow" />
          <span>hands over to {item.to}</span>
        </p>
      );
    case 'error':
      return (
        <div class="failure" role="alert">
          <strong>{item.code}</strong>
          <p>{item.message}</p>
        </div>
      );
  }
}

function Message({ item }: { readonly item: MessageItem }) {
  if (item.author === 'user') return <div class="bubble">{item.text}</div>;
  if (item.isThought)
    return (
      <details class="thought">
        <summary>Thought</summary>
        <Markdown text={item.text} />
      </details>
    );
  return (
    <div class={item.isStreaming ? 'answer is-streaming' : 'answer'}>
      <Markdown text={item.text} />
      {item.eventId !== '' && !item.isStreaming && (
        <button
          type="button"
          class="entry-open link"
          aria-label="Inspect this answer"
          onClick={() => select(eventId.value === item.eventId ? undefined : item.eventId)}
        >
          inspect
        </button>
      )}
      {item.eventId !== '' && !item.isStreaming && (
        <AnswerFeedback key={item.eventId} eventId={item.eventId} />
      )}
    </div>
  );
}

function File({ item }: { readonly item: FileItem }) {
  const source = item.data === undefined ? item.uri : `data:${item.mimeType};base64,${item.data}`;
  const name = item.name ?? item.mimeType;
  if (source?.startsWith('data:image/')) return <img class="file-image" src={source} alt={name} />;
  if (source?.startsWith('data:audio/')) return <audio controls src={source} aria-label={name} />;
  return (
    <p class="file-name">
      <Icon name="file" /> {name}
    </p>
  );
}

/** Shows that something goes on while nothing is written. */
function Progress({ last }: { readonly last: ThreadItem | undefined }) {
  const isWriting = last?.kind === 'message' && last.isStreaming;
  if (activeRun.value === undefined || isWriting || pending.value.length > 0) return null;
  return (
    <p class="progress" role="status">
      <span class="progress-dots" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span class="hidden">The agent works.</span>
    </p>
  );
}

function Failure() {
  const failed = fault.value;
  // The error of the run is told by that of its last event.
  if (!failed || thread.value.at(-1)?.kind === 'error') return null;
  return (
    <div class="failure" role="alert">
      <strong>{failed.code}</strong>
      <p>{failed.message}</p>
      {failed.cure !== undefined && <p>{failed.cure}</p>}
      <SignInLink fault={failed} />
    </div>
  );
}
