/** `1 tool`, `2 tools`, `2 classes`. */
export function counted(count: number, noun: string): string {
  const plural = noun.endsWith('s') ? `${noun}es` : `${noun}s`;
  return `${String(count)} ${count === 1 ? noun : plural}`;
}
