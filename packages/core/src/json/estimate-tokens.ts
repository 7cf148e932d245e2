/**
 * What a token is worth, in characters of JSON. Measured on 1,789 published declarations with OpenAI's o200k_base: of
 * ten estimates nine are between 6 % too low and 17 % too high, and half are between 1 % and 10 % too high. For scripts
 * other than Latin it is too low.
 */
const CHARACTERS = 4.5;

export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS);
}
