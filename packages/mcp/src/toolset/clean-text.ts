/**
 * Control characters but tab and line breaks, invisible ones, those that reverse the direction of text, and the tags of
 * Unicode, in which instructions can be hidden from people.
 */
const HIDDEN = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu;

/** A text of a server without hidden characters, at most `limit` characters long. */
export function cleanText(text: string, limit: number): string {
  const shown = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return shown.replace(HIDDEN, '');
}

/** JSON of a server whose texts and keys are shown to a model, without hidden characters; the same object if it has none. */
export function cleanJson<Value>(value: Value): Value {
  const text = JSON.stringify(value);
  const clean = JSON.stringify(value, (_key, field: unknown) =>
    typeof field === 'string' ? field.replace(HIDDEN, '') : field,
  );
  return clean === text ? value : (JSON.parse(clean) as Value);
}
