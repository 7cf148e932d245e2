const PATHS = {
  plus: 'M8 3v10M3 8h10',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.5-1.5L14 14',
  send: 'M8 13V3M4 7l4-4 4 4',
  stop: 'M4.5 4.5h7v7h-7z',
  sun: 'M8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5Z',
  system: 'M2 3h12v8H2zM6 14h4M8 11v3',
  left: 'M2 3h12v10H2zM6 3v10',
  right: 'M2 3h12v10H2zM10 3v10',
  pencil: 'M3 13l.6-2.8L11 2.8l2.2 2.2L5.8 12.4 3 13Z',
  trash: 'M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.5 8.5h6l.5-8.5',
  file: 'M4 2h5l3 3v9H4zM9 2v3h3',
  clip: 'M12.5 7.5 7.8 12.2a3 3 0 0 1-4.2-4.2l5-5a2 2 0 0 1 2.8 2.8L6.5 10.7a1 1 0 0 1-1.4-1.4L9.5 5',
  help: 'M6 6a2 2 0 1 1 2.7 1.9c-.5.2-.7.5-.7 1.1v.3M8 11.8v.2',
  arrow: 'M3 8h10M9 4l4 4-4 4',
  chevron: 'M6 4l4 4-4 4',
  close: 'M4 4l8 8M12 4l-8 8',
  check: 'M3 8.5 6.5 12 13 4.5',
  list: 'M3 4h10M3 8h10M3 12h10',
  chat: 'M2.5 3h11v8H7l-3 2.5V11H2.5z',
  tree: 'M3 3h4v3H3zM9 10h4v3H9zM5 6v5.5h4',
  fork: 'M5 3v10M5 7c0 2 6 1 6 4v2M11 3v1',
  microphone: 'M8 2a2 2 0 0 1 2 2v4a2 2 0 0 1-4 0V4a2 2 0 0 1 2-2ZM3.5 7.5a4.5 4.5 0 0 0 9 0M8 12v2.5',
  play: 'M5 3.5v9l7-4.5z',
  like: 'M5 7v6.5H2.5V7zM5 7l2.5-5c1 0 1.7.7 1.5 1.8L8.5 6h4.3l-1 6.2c-.1.8-.7 1.3-1.5 1.3H5',
  dislike: 'M5 9V2.5H2.5V9zM5 9l2.5 5c1 0 1.7-.7 1.5-1.8L8.5 10h4.3l-1-6.2c-.1-.8-.7-1.3-1.5-1.3H5',
  copy: 'M5.5 5.5h7v8h-7zM3.5 10.5v-8h7',
} as const;

/** The names of the icons. */
export type IconName = keyof typeof PATHS;

/** A line icon. It is decoration: the button around it has the words. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** A button that is an icon; its words are read out, and shown when it is pointed at. */
export function IconButton({
  icon,
  label,
  onClick,
  pressed,
}: {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: () => void;
  readonly pressed?: boolean;
}) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
