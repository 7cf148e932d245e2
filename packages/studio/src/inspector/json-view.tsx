import { useState } from 'preact/hooks';

/** Entries that are shown at once. */
const PAGE = 100;
/** Characters of a text that are shown at once. */
const MOST_CHARACTERS = 300;

/** A JSON value, folded below the given depth. What is folded is not rendered. */
export function JsonView({
  value,
  depth = 1,
  label,
}: {
  readonly value: unknown;
  readonly depth?: number;
  readonly label?: string;
}) {
  return (
    <div class="json" role="group" aria-label={label}>
      <Value value={value} depth={depth} />
    </div>
  );
}

function Value({
  value,
  depth,
  name,
}: {
  readonly value: unknown;
  readonly depth: number;
  readonly name?: string;
}) {
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0)
    return <Branch value={value} depth={depth} name={name ?? ''} />;
  return (
    <div class="json-leaf">
      {name !== undefined && <span class="json-name">{name}</span>}
      <Leaf value={value} />
    </div>
  );
}

function Branch({
  value,
  depth,
  name,
}: {
  readonly value: object;
  readonly depth: number;
  readonly name: string;
}) {
  const [isOpen, setOpen] = useState(depth > 0);
  const [shown, setShown] = useState(PAGE);
  const entries = isOpen ? Object.entries(value as Readonly<Record<string, unknown>>) : [];
  const isRoot = name === '' && depth > 0;
  return (
    <div class={isRoot ? 'json-root' : 'json-branch'}>
      {!isRoot && (
        <button type="button" class="json-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span class="json-caret" aria-hidden="true" />
          {name !== '' && <span class="json-name">{name}</span>}
          <span class="json-summary">{summaryOf(value)}</span>
        </button>
      )}
      {isOpen && (
        <div class="json-children">
          {entries.slice(0, shown).map(([key, child]) => (
            <Value key={key} name={key} value={child} depth={depth - 1} />
          ))}
          {entries.length > shown && (
            <button type="button" class="link" onClick={() => setShown(shown + PAGE)}>
              {entries.length - shown} more
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function Leaf({ value }: { readonly value: unknown }) {
  const [isWhole, setWhole] = useState(false);
  if (typeof value !== 'string')
    return (
      <span class={`json-${typeof value}`}>
        {(JSON.stringify(value) as string | undefined) ?? 'undefined'}
      </span>
    );
  const isLong = value.length > MOST_CHARACTERS && !isWhole;
  return (
    <span class="json-string">
      {isLong ? `${value.slice(0, MOST_CHARACTERS)}…` : value === '' ? '""' : value}
      {isLong && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          all {value.length.toLocaleString('en')} characters
        </button>
      )}
    </span>
  );
}

function summaryOf(value: object): string {
  if (Array.isArray(value)) return `[${String(value.length)}]`;
  const names = Object.keys(value);
  const shown = names.slice(0, 3).join(', ');
  return `{ ${shown}${names.length > 3 ? ', …' : ''} }`;
}
