import { GeminiModel, type Model } from 'adorn';
import { chooseModel } from 'adorn/main';

/** The default model of judges on Gemini. */
const JUDGE = 'gemini-2.5-flash';

/** The model that judges answers: by its name, or by the environment. */
export function judgeOf(name: string | undefined): Model {
  return chooseModel(process.env, name).model ?? new GeminiModel({ model: JUDGE });
}
