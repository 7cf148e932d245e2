/** What JSON is made of, or what is read as such. */
type Json = Readonly<Record<string, unknown>>;

/** How much of what two texts have in common is told. */
const LEAD = 20;

/**
 * Says where two JSON values first differ, as `path: expected …, got …`; undefined where they are equal. The order
 * of keys does not count, that of lists does, and an undefined property is an absent one.
 */
export function findDifference(expected: unknown, actual: unknown, path = '$'): string | undefined {
  if (Object.is(expected, actual)) return undefined;
  if (Array.isArray(expected) && Array.isArray(actual)) return differenceOfLists(expected, actual, path);
  if (isObject(expected) && isObject(actual)) return differenceOfObjects(expected, actual, path);
  if (typeof expected === 'string' && typeof actual === 'string')
    return differenceOfTexts(expected, actual, path);
  return `${path}: expected ${show(expected)}, got ${show(actual)}`;
}

/** Long texts are told from a little before the place where they part. */
function differenceOfTexts(expected: string, actual: string, path: string): string {
  const units = expected.split('');
  const parted = units.findIndex((unit, index) => unit !== actual[index]);
  const place = parted === -1 ? expected.length : parted;
  if (place <= LEAD) return `${path}: expected ${show(expected)}, got ${show(actual)}`;
  const from = place - LEAD;
  const [wanted, got] = [show(expected.slice(from)), show(actual.slice(from))];
  return `${path} from character ${String(from)}: expected ${wanted}, got ${got}`;
}

function differenceOfLists(
  expected: readonly unknown[],
  actual: readonly unknown[],
  path: string,
): string | undefined {
  const [wanted, got] = [expected.length, actual.length];
  if (wanted !== got)
    return `${path}: expected ${String(wanted)} entries, got ${String(got)}: ${show(actual)}`;
  return first(expected.keys(), (index) =>
    findDifference(expected[index], actual[index], `${path}[${String(index)}]`),
  );
}

function differenceOfObjects(expected: Json, actual: Json, path: string): string | undefined {
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  return first(keys, (key) => findDifference(expected[key], actual[key], `${path}.${key}`));
}

function first<Key>(keys: Iterable<Key>, find: (key: Key) => string | undefined): string | undefined {
  for (const key of keys) {
    const found = find(key);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
