import { createRunner, defineAgent, Deny, GuardrailsPlugin } from '@adorn/core';
import { says, ScriptedModel } from '@adorn/testing';

import { personalData, type PersonalDataKind, type PersonalDataOptions } from './personal-data.js';

describe('personalData', () => {
  it.each<[PersonalDataKind, string]>([
    ['email', 'ada.lovelace+news@mail.example.co.uk'],
    ['email', 'müller@exämple.de'],
    ['iban', 'DE89 3704 0044 0532 0130 00'],
    ['iban', 'GB82WEST12345698765432'],
    ['card', '4111 1111 1111 1111'],
    ['card', '378282246310005'],
    ['ip', '192.168.17.4'],
    ['ip', '2001:db8::ff00:42:8329'],
    ['phone', '+49 30 901820'],
    ['phone', '(030) 90 18 20'],
    ['phone', '0171/2345678'],
    ['phone', '555-867-5309'],
  ])('finds %s: %s', async (kind, data) => {
    expect(await redacted(`Take ${data}, please.`)).toBe(`Take [${kind}], please.`);
  });

  it.each([
    'Order A-17 of 2026-11-24 costs 1.234,56 €.',
    'On 24.11.2026 at 12:30:15, version 1.2.3, 10 of 12.',
    'DE89 3704 0044 0532 0130 01',
    '4111 1111 1111 1112',
    '999.1.2.3',
    'a@b, @ada, ada@localhost',
    'Number 20261124 and 0.123456789',
    'std::vector and 10:30',
  ])('leaves alone: %s', async (text) => {
    expect(await redacted(text)).toBe(text);
  });

  it('refuses with the kinds that it found, and not with the data', async () => {
    const verdict = await check('Mail ada@example.org or call +49 30 901820.');

    expect(verdict).toEqual(new Deny('It contains personal data: email, phone.'));
  });

  it('looks for the kinds that it is told, and replaces by what it is told', async () => {
    const options = { kinds: ['email'], action: 'redact', replacement: '***' } as const;

    expect(await check('ada@example.org, +49 30 901820', options)).toBe('***, +49 30 901820');
  });

  it.each<[unknown, RegExp]>([
    [{ kinds: ['passport'] }, /kinds is a list\. Pass a list of email/],
    [{ kinds: [] }, /kinds is a list/],
    [{ action: 'drop' }, /action is "drop"\./],
    [{ kind: ['email'] }, /Did you mean kinds/],
  ])('is not made with %j', (options, message) => {
    expect(() => personalData(options as PersonalDataOptions)).toThrow(message);
  });

  it('keeps personal data from the log and the model', async () => {
    const model = new ScriptedModel(says('Write to help@example.org.'));
    const clerk = defineAgent({ name: 'clerk', description: '', model });
    const guardrails = [personalData({ action: 'redact' })];
    await using runner = await createRunner(clerk, {
      plugins: [new GuardrailsPlugin({ inputGuardrails: guardrails, outputGuardrails: guardrails })],
    });

    expect(await runner.ask('I am ada@example.org.')).toBe('Write to [email].');
    expect(JSON.stringify(model.requests[0]?.contents)).not.toContain('ada@');
  });

  it('reads a long text in time that grows with its length', async () => {
    for (const text of [
      '1 '.repeat(50_000),
      'a.'.repeat(50_000),
      'AB12 '.repeat(20_000),
      '1:'.repeat(50_000),
    ])
      await redacted(text);
  });
});

function check(text: string, options: PersonalDataOptions = {}) {
  return personalData(options).check(text, undefined as never);
}

async function redacted(text: string): Promise<string> {
  const safe = await check(text, { action: 'redact' });
  return typeof safe === 'string' ? safe : text;
}
