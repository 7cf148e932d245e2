import type { Fault } from '../server/connection.js';
import { Composer } from '../conversation/composer.js';
import { Conversation } from '../conversation/conversation.js';
import { LiveBar } from '../live/live-bar.js';
import { InboxView } from '../inbox/inbox-view.js';
import { Inspector } from '../inspector/inspector.js';
import { waitsForText } from '../conversation/who-answers.js';
import { foremost } from '../server/open-session.js';
import { pageFault, sessions } from '../server/session-list.js';
import { SessionList } from '../sessions/session-list.js';
import { Timeline } from '../timeline/timeline.js';
import { sessionId } from './address.js';
import { announcement, isHelpOpen, isInboxOpen, isInspectorOpen, isListOpen, tab } from './appearance.js';
import { Help } from './help.js';
import { Icon, IconButton, type IconName } from './icon.js';

/** The page: sessions, conversation with timeline, inspector. A narrow page shows one of them. */
export function Studio() {
  if (pageFault.value) return <Refused fault={pageFault.value} />;
  const classes = [
    'studio',
    `tab-${tab.value}`,
    isListOpen.value && 'has-list',
    isInspectorOpen.value && 'has-inspector',
  ];
  return (
    <div class={classes.filter(Boolean).join(' ')}>
      <aside class="column column-list" aria-label="Sessions">
        <SessionList />
      </aside>
      <main class="column column-chat">
        <ChatHead />
        {isInboxOpen.value ? <InboxView /> : <Session />}
      </main>
      <aside class="column column-inspector" aria-label="Inspector">
        <Inspector />
      </aside>
      <Tabs />
      <Help />
      <p class="hidden" role="status" aria-live="polite">
        {announcement.value}
      </p>
    </div>
  );
}

function Session() {
  return (
    <>
      <Conversation />
      <LiveBar />
      <Composer />
      <Timeline />
    </>
  );
}

function titleOnPage(): string {
  if (isInboxOpen.value) return 'Inbox';
  const session = sessions.value?.find(({ id }) => id === sessionId.value);
  if (sessionId.value === undefined) return 'New session';
  return session?.title ?? `Session ${sessionId.value.slice(0, 8)}`;
}

function ChatHead() {
  return (
    <header class="chat-head">
      <span class="wide-only">
        <IconButton
          icon="left"
          label="Sessions"
          pressed={isListOpen.value}
          onClick={() => (isListOpen.value = !isListOpen.value)}
        />
      </span>
      <h1>{titleOnPage()}</h1>
      {!isInboxOpen.value && foremost.value && (
        <span class="waiting-mark">{waitsForText(foremost.value)}</span>
      )}
      <IconButton icon="help" label="Keys" onClick={() => (isHelpOpen.value = true)} />
      <span class="wide-only">
        <IconButton
          icon="right"
          label="Inspector"
          pressed={isInspectorOpen.value}
          onClick={() => (isInspectorOpen.value = !isInspectorOpen.value)}
        />
      </span>
    </header>
  );
}

const TABS: readonly { readonly name: typeof tab.value; readonly label: string; readonly icon: IconName }[] =
  [
    { name: 'sessions', label: 'Sessions', icon: 'list' },
    { name: 'chat', label: 'Chat', icon: 'chat' },
    { name: 'inspector', label: 'Inspect', icon: 'tree' },
  ];

function Tabs() {
  return (
    <nav class="tabs" aria-label="Columns">
      {TABS.map(({ name, label, icon }) => (
        <button key={name} type="button" aria-pressed={tab.value === name} onClick={() => (tab.value = name)}>
          <Icon name={icon} />
          {label}
        </button>
      ))}
    </nav>
  );
}

function Refused({ fault }: { readonly fault: Fault }) {
  return (
    <main class="refused">
      <h1>The studio cannot open</h1>
      <div class="failure" role="alert">
        <strong>{fault.code}</strong>
        <p>{fault.message}</p>
        {fault.cure !== undefined && <p>{fault.cure}</p>}
      </div>
      <button type="button" class="button button-main" onClick={() => location.reload()}>
        Try again
      </button>
    </main>
  );
}
