/** Something that happens in a live conversation. */
export type LiveOp =
  | { readonly do: (typeof PLAIN)[number] }
  | { readonly do: 'call'; readonly tool: string; readonly hasId: boolean; readonly twice: boolean }
  | { readonly do: 'cancel'; readonly nth: number }
  | { readonly do: 'pause'; readonly turns: number };

/**
 * `handle`: the connection can be continued; `release`: a slow tool ends; `advance`: the state has what another phase waits
 * for; `die`: the process ends, and another one takes the conversation up.
 */
const PLAIN = [
  'text',
  'text',
  'audio',
  'speak',
  'speak',
  'interrupt',
  'bargeIn',
  'handle',
  'goAway',
  'release',
  'release',
  'drop',
  'advance',
  'die',
] as const;

const TOOLS = [
  'quick',
  'slow',
  'beside',
  'listen',
  'stop_streaming',
  'broken',
  'look',
  'missing',
  'transfer',
] as const;

const MOST_OPS = 30;

/** What happens in a conversation, as a seed decides it. */
export function opsOf(random: () => number): LiveOp[] {
  const pick = (count: number): number => Math.floor(random() * count);
  return Array.from({ length: 1 + pick(MOST_OPS) }, (): LiveOp => {
    const kind = pick(10);
    if (kind < 5) return { do: PLAIN[pick(PLAIN.length)] ?? 'text' };
    if (kind < 8)
      return { do: 'call', tool: TOOLS[pick(TOOLS.length)] ?? '', hasId: pick(4) > 0, twice: pick(4) === 0 };
    if (kind < 9) return { do: 'cancel', nth: pick(6) };
    return { do: 'pause', turns: pick(5) };
  });
}
