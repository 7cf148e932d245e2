/** An object with its keys in camel case: the files of ADK have them in snake case. Values stay as they are. */
export function camelKeys(fields: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
      value as unknown,
    ]),
  );
}
