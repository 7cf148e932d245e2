import { effect, signal } from '@preact/signals';

/** The choices of colours: those of the system, or fixed ones. */
export type Theme = 'system' | 'light' | 'dark';

export const theme = signal<Theme>(storedTheme());
export const isListOpen = signal(innerWidth >= 900);
export const isInspectorOpen = signal(innerWidth >= 1200);
/** The column that a narrow page shows. */
export const tab = signal<'sessions' | 'chat' | 'inspector'>('chat');
/** True if the inbox is shown in the place of the conversation. */
export const isInboxOpen = signal(false);
export const isHelpOpen = signal(false);
/** Said by screen readers when it changes. */
export const announcement = signal('');

const KEY = 'adorn-theme';

function storedTheme(): Theme {
  const stored = localStorage.getItem('adorn-theme');
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Applies the theme to the page, and remembers it. */
export function keepTheme(): void {
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value;
    localStorage.setItem(KEY, theme.value);
  });
}

/** Goes on to the next theme. */
export function switchTheme(): void {
  const order: readonly Theme[] = ['system', 'light', 'dark'];
  theme.value = order[(order.indexOf(theme.value) + 1) % order.length] ?? 'system';
}
