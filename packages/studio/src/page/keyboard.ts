import { step } from '../inspector/event-panel.js';
import { openSession } from '../server/session-list.js';
import { eventId, select } from './address.js';
import { isHelpOpen, isInspectorOpen, isListOpen, tab } from './appearance.js';

/** The keys of the page, and what they do. They do nothing while something is written. */
export const KEYS: Readonly<Record<string, { readonly does: string; readonly run: () => void }>> = {
  '/': { does: 'Search the sessions', run: openSearch },
  n: { does: 'New session', run: () => openSession(undefined) },
  m: { does: 'Write a message', run: () => focusOn('.composer textarea') },
  j: { does: 'Later event', run: () => step(eventId.value, 1) },
  k: { does: 'Earlier event', run: () => step(eventId.value, -1) },
  a: { does: 'Go to the button that approves', run: () => focusOn('[data-action="approve"]') },
  r: {
    does: 'Reject, with a reason',
    run: () => document.querySelector<HTMLElement>('[data-action="reject"]')?.click(),
  },
  '.': { does: 'Actions of the event', run: openActions },
  Escape: { does: 'Back to the run', run: () => select(undefined) },
  '?': { does: 'These keys', run: () => (isHelpOpen.value = true) },
};

/** Listens to the keys of the page. */
export function keepKeyboard(): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isWriting(event.target))
      return;
    const key = KEYS[event.key];
    if (!key || isHelpOpen.value) return;
    event.preventDefault();
    key.run();
  });
}

function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.matches('input:not([type="checkbox"]), textarea, select');
}

function openSearch(): void {
  isListOpen.value = true;
  tab.value = 'sessions';
  focusOn('#search');
}

function openActions(): void {
  isInspectorOpen.value = true;
  focusOn('.event-actions button');
}

/** Focuses an element that may appear with the next picture. */
function focusOn(selector: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus());
}
