/** Tests of the kit that fail, by binding and name, and why by the specification. */
export const EXPLAINED: Readonly<Record<string, string>> = {};
