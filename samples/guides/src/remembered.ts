import { backgroundExtraction, remembered, workingMemory } from '@adorn/memory';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, joinText, LlmAgent } from 'adorn';
import { IsEmail } from 'class-validator';

@remembered()
class Profile {
  /** The city where the user lives. */
  city?: string;
  /** What the user does not eat. */
  diet?: 'vegan' | 'vegetarian';
  /** Where bookings are confirmed. */
  @IsEmail()
  mail?: string;
}

const profile = workingMemory(Profile);

/** Books tables. */
@agent({ instruction: 'Book tables for the user.', tools: [profile] })
class Concierge extends LlmAgent {}

const model = new ScriptedModel(
  callsTool('update_profile', { city: 'Oslo', mail: 'ada' }),
  callsTool('update_profile', { city: 'Oslo', mail: 'ada@example.com' }),
  says('Noted.'),
  says('A vegan table in Oslo, then.'),
);
// Reads each run when it is over, and finds what the first model did not note.
const reader = new ScriptedModel(says('{"diet":"vegan"}'), says('{}'));

await using runner = await createRunner(Concierge, {
  model,
  modules: [backgroundExtraction(profile, { model: reader })],
});
const ada = profile.of(runner, 'ada');

const message = 'I live in Oslo, am vegan, and my mail is ada@example.com.';
const monday = await runner.run({ userId: 'ada', message });
for (const { response } of monday.events.flatMap(({ functionResponses }) => functionResponses))
  console.log(response);

while ((await ada.read()).diet === undefined) await new Promise(setImmediate);
await ada.correct({ city: 'Bergen' });

await runner.run({ userId: 'ada', message: 'A table for tonight, please.' });
console.log(joinText(model.requests[3]?.contents.at(-1)));

const { erased } = await runner.forget('ada');
console.log('Erased:', erased.state, 'Left:', await ada.read());
