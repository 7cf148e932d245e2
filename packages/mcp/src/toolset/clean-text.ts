/**
 * Control characters but tab and line breaks, invisible ones, those that reverse the direction of text, and the tags of
 * Unicode, in which instructions can be hidden from people.
 */
const HIDDEN = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu;

/** As `HIDDEN`, without what words and emoji of a result need: one joiner, or one presentation selector, at a time. */
const HIDDEN_IN_RESULTS =
  /(?!\t|\n|\r|\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Variation_Selector}]|(?<=\u200c|\u200d|\ufe0e|\ufe0f)(?:\u200c|\ufe0e|\ufe0f)/gu;

/** A text of a server without hidden characters, at most `limit` characters long. */
export function cleanText(text: string, limit: number): string {
  const shown = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return shown.replace(HIDDEN, '');
}

/** A result for a model without hidden characters; the same object if it has none. */
export function cleanResult(result: Record<string, unknown>): Record<string, unknown> {
  return cleanJson(result, HIDDEN_IN_RESULTS);
}

/** JSON of a server whose texts are shown to a model, without hidden characters; the same object if it has none. */
export function cleanJson<Value>(value: Value, hidden = HIDDEN): Value {
  const text = JSON.stringify(value);
  const clean = JSON.stringify(value, (_key, field: unknown) =>
    typeof field === 'string' ? field.replace(hidden, '') : field,
  );
  return clean === text ? value : (JSON.parse(clean) as Value);
}
