/** An object with its keys in camel case: the files of ADK have them in snake case. Values stay as they are. */
export function camelKeys(fields: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
      value as unknown,
    ]),
  );
}

/** A text with its names in snake case, as the files of ADK have them. */
export function snakeCase(text: string): string {
  return text.replace(
    /([a-z])([A-Z])/g,
    (_match, last: string, first: string) => `${last}_${first.toLowerCase()}`,
  );
}
