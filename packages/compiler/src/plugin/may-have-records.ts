/**
 * Whether a look at its text leaves open that a file has something for Adorn. Decorators and functions may have any
 * name there, and a method may override a tool without a word about it; but all of them come from another module,
 * and all of them need a class or a call.
 */
export function mayHaveRecords(text: string): boolean {
  const takesFromElsewhere = /\b(?:import|require)\b/.test(text);
  return takesFromElsewhere && (/\bclass\b/.test(text) || text.includes('('));
}
