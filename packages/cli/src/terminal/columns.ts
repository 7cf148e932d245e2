/**
 * How many columns a line has: `COLUMNS`, if the environment sets it, else those of the terminal. Undefined for a file or a
 * pipe.
 */
export function columnsOf(
  { isTTY = false, columns }: { readonly isTTY?: boolean; readonly columns?: number },
  env: NodeJS.ProcessEnv = process.env,
): number | undefined {
  const stated = Number(env['COLUMNS']);
  if (Number.isSafeInteger(stated) && stated > 0) return stated;
  return isTTY && columns !== undefined && columns > 0 ? columns : undefined;
}
