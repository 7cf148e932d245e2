import type { SessionJson } from '@adorn/server/client';
import { useState } from 'preact/hooks';

import { app, sessionId } from '../page/address.js';
import { isInboxOpen, switchTheme, tab, theme } from '../page/appearance.js';
import { Icon, IconButton } from '../page/icon.js';
import { agoText } from '../page/words.js';
import { inbox } from '../server/inbox.js';
import {
  apps,
  deleteSession,
  openApp,
  openSession,
  renameSession,
  sessions,
} from '../server/session-list.js';

const THEME_ICONS = { system: 'system', light: 'sun', dark: 'moon' } as const;

/** The sessions of the user: search, open, rename, delete. */
export function SessionList() {
  const [search, setSearch] = useState('');
  const found = (sessions.value ?? []).filter((session) => matches(session, search));
  return (
    <div class="sessions">
      <div class="sessions-head">
        <AppChoice />
        <IconButton icon={THEME_ICONS[theme.value]} label={`Colours: ${theme.value}`} onClick={switchTheme} />
      </div>
      <button type="button" class="button new-session" onClick={() => openSession(undefined)}>
        <Icon name="plus" /> New session <kbd>n</kbd>
      </button>
      <OpenInbox />
      <div class="search">
        <Icon name="search" />
        <input
          type="search"
          id="search"
          aria-label="Search sessions"
          placeholder="Search"
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <kbd>/</kbd>
      </div>
      <nav class="session-entries" aria-label="Sessions">
        {found.length === 0 && <p class="empty">{emptyText(search)}</p>}
        <ul>
          {found.map((session) => (
            <Entry key={session.id} session={session} />
          ))}
        </ul>
      </nav>
    </div>
  );
}

/** Opens the inbox, if the server has one. */
function OpenInbox() {
  if (inbox.value === undefined) return null;
  const open = () => {
    isInboxOpen.value = true;
    tab.value = 'chat';
  };
  return (
    <button type="button" class="button open-inbox" aria-pressed={isInboxOpen.value} onClick={open}>
      <Icon name="check" /> Inbox <span class="inbox-count">{inbox.value.length}</span>
    </button>
  );
}

function AppChoice() {
  if (apps.value.length < 2) return <strong class="app-name">{apps.value[0]?.name ?? 'Adorn'}</strong>;
  return (
    <select
      class="app-name"
      aria-label="Application"
      value={app.value}
      onChange={({ currentTarget }) => void openApp(currentTarget.value)}
    >
      {apps.value.map(({ name }) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}

function emptyText(search: string): string {
  if (!sessions.value) return '';
  return search === ''
    ? 'Sessions are listed here once you have written a message.'
    : `No session has “${search}”.`;
}

function matches(session: SessionJson, search: string): boolean {
  const text = `${titleOf(session)} ${session.id} ${JSON.stringify(session.state)}`.toLowerCase();
  return text.includes(search.trim().toLowerCase());
}

function titleOf({ title, id }: SessionJson): string {
  return title ?? `Session ${id.slice(0, 8)}`;
}

function Entry({ session }: { readonly session: SessionJson }) {
  const [mode, setMode] = useState<'shown' | 'renamed' | 'deleted'>('shown');
  const isOpen = sessionId.value === session.id;
  const title = titleOf(session);
  if (mode === 'renamed') return <Rename session={session} onEnd={() => setMode('shown')} />;
  if (mode === 'deleted')
    return (
      <li class="session session-question" role="group" aria-label={`Delete ${title}?`}>
        <span>Delete this session?</span>
        <button
          type="button"
          class="button button-danger"
          ref={focus}
          onClick={() => void deleteSession(session.id)}
        >
          Delete
        </button>
        <button type="button" class="button" onClick={() => setMode('shown')}>
          Keep
        </button>
      </li>
    );
  return (
    <li class={isOpen ? 'session is-open' : 'session'}>
      <button
        type="button"
        class="session-open"
        aria-current={isOpen ? 'page' : undefined}
        onClick={() => openSession(session.id)}
      >
        <span class="session-title">{title}</span>
        <span class="session-time">{agoText(session.lastUpdateTime)}</span>
      </button>
      <span class="session-actions">
        <IconButton icon="pencil" label={`Rename ${title}`} onClick={() => setMode('renamed')} />
        <IconButton icon="trash" label={`Delete ${title}`} onClick={() => setMode('deleted')} />
      </span>
    </li>
  );
}

function Rename({ session, onEnd }: { readonly session: SessionJson; readonly onEnd: () => void }) {
  const [title, setTitle] = useState(titleOf(session));
  const save = () => {
    if (title.trim() !== '') void renameSession(session.id, title.trim());
    onEnd();
  };
  return (
    <li class="session">
      <form
        class="session-rename"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <input
          aria-label="Title"
          value={title}
          maxLength={200}
          ref={focus}
          onInput={({ currentTarget }) => setTitle(currentTarget.value)}
          onBlur={onEnd}
          onKeyDown={({ key }) => key === 'Escape' && onEnd()}
        />
      </form>
    </li>
  );
}

/** Focuses an element when it appears. */
function focus(element: HTMLElement | null): void {
  if (element === null || element.dataset['focused'] !== undefined) return;
  element.dataset['focused'] = 'true';
  element.focus();
  if (element instanceof HTMLInputElement) element.select();
}
