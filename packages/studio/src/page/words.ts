/** A duration in words: `12 ms`, `3.4 s`, `2 min`, `3 h`. @param seconds may be a fraction */
export function durationText(seconds: number): string {
  if (seconds < 0.9995) return `${String(Math.max(0, Math.round(seconds * 1000)))} ms`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  if (seconds < 3600) return `${String(Math.round(seconds / 60))} min`;
  return seconds < 86_400
    ? `${String(Math.round(seconds / 3600))} h`
    : `${String(Math.round(seconds / 86_400))} d`;
}

/** How long ago a time was: `now`, `5 min`, `3 h`, `2 d`, then its date. @param time seconds since 1970 */
export function agoText(time: number, now = Date.now() / 1000): string {
  const seconds = now - time;
  if (seconds < 60) return 'now';
  if (seconds < 7 * 86_400) return durationText(seconds);
  return new Date(time * 1000).toLocaleDateString(undefined, { month: 'short', day: 'numeric' });
}

/** The time of day with milliseconds. @param time seconds since 1970 */
export function clockText(time: number): string {
  return new Date(time * 1000).toLocaleTimeString(undefined, {
    hour12: false,
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  } as Intl.DateTimeFormatOptions);
}

/** A number with its thousands apart. */
export function countText(count: number): string {
  return count.toLocaleString('en');
}

/** `1 call`, `2 calls`. */
export function plural(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;
}
