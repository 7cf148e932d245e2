/** Stop words. */
const STOP_WORDS = new Set(
  (
    'a about after all also am an and any are as at be been but by can could did do does done for from get give ' +
    'go had has have he hello her here hey hi him his how i if in into is it its just let like ll may me might ' +
    'mine my need no not now of off on one or our out please re s she should so some t tell than thank thanks ' +
    'that the their them then there these they this those to too up us use ve very want was we were what which ' +
    'will with would yes you your'
  ).split(' '),
);

/** The words of a text that carry meaning, stemmed, in order. `getWeather` and `get_weather` are two words each. */
export function wordsOf(text: string): string[] {
  return tokensOf(text).filter(isMeaningful).map(stem);
}

/** All words of a text in small letters, in order. */
export function tokensOf(text: string): string[] {
  return (
    splitCamelCase(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

export function isMeaningful(token: string): boolean {
  return !STOP_WORDS.has(token);
}

function splitCamelCase(text: string): string {
  return text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
}

/** Cuts the commonest English endings, so that "tracking", "tracked" and "tracks" meet; words with digits stay. */
export function stem(token: string): string {
  if (token.length <= 3 || /\d/.test(token)) return token;
  const singular = withoutPlural(token);
  for (const [ending, atLeast] of ENDINGS) {
    const rest = singular.length - ending.length;
    if (rest >= atLeast && singular.endsWith(ending)) return withoutDouble(singular.slice(0, rest));
  }
  return singular;
}

/** An ending, and how much of the word must be left for it to be one. */
const ENDINGS: readonly (readonly [string, number])[] = [
  ['ation', 5],
  ['ment', 3],
  ['ing', 3],
  ['ed', 3],
  ['y', 5],
  ['e', 3],
];

function withoutPlural(token: string): string {
  if (token.endsWith('ies')) return `${token.slice(0, -3)}y`;
  if (/(?:ss|us|is)$/.test(token)) return token;
  if (/(?:s|x|z|ch|sh)es$/.test(token)) return token.slice(0, -2);
  return token.endsWith('s') ? token.slice(0, -1) : token;
}

function withoutDouble(token: string): string {
  return /([^aeiouls])\1$|ll$/.test(token) && token.length > 4 ? token.slice(0, -1) : token;
}
