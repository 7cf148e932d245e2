import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { sqlStorage } from '@adorn/storage';
import { callsTool, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';
import { createRunner, type Runner } from 'adorn';
import { Container } from 'inversify';

import { Clinic } from './clinic.agent.js';
import { PatientRepository, PatientsInMemory } from './patients.js';
import { Laboratory } from './records.js';

const ADDRESS = { userId: 'ada', sessionId: 's1' };
const SESSION = { appName: 'clinic', ...ADDRESS };

describe('the clinic', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'clinic-')), 'clinic.db');
  const patients = new PatientsInMemory();
  patients.patients.push({
    id: 'P1',
    name: 'Ada',
    allergies: [],
    insurance: { company: 'Aurora', number: '17' },
  });
  const container = new Container();
  container.bind(PatientRepository).toConstantValue(patients);
  container.bind(Laboratory).toConstantValue({ resultsOf: async (_id, key) => [{ test: key, value: 61 }] });
  afterAll(() => {
    rmSync(dirname(file), { recursive: true });
  });

  /** A desk over the same file each time, as a process that is started again. */
  function open(...steps: ScriptedStep[]): Promise<Runner> {
    return createRunner(Clinic, {
      container,
      modules: [sqlStorage(file)],
      model: new ScriptedModel(...steps),
    });
  }

  it('books at once for next week, and remembers the doctor', async () => {
    await using runner = await open(
      callsTool('book', { patientId: 'P1', doctor: 'silva', wish: { kind: 'soon' }, reason: 'cough' }),
      says('Booked.'),
    );

    await runner.ask('Book.', ADDRESS);

    expect(patients.appointments.get('A1')).toMatchObject({ doctor: 'silva', reason: 'cough' });
    const session = await runner.sessions.getSession(SESSION);
    expect({ ...session?.state }).toEqual({ 'user:last_doctor': 'silva' });
  });

  it('keeps a cancellation that waits for its yes over a restart', async () => {
    const asking = await open(callsTool('cancel', { appointmentId: 'A1' }));
    expect((await asking.run({ ...ADDRESS, message: 'Cancel A1.' })).status).toBe('paused');
    await asking.close();
    await using runner = await open(says('It is cancelled.'));
    const [request] = await runner.pending(ADDRESS);
    expect([request?.hint, patients.appointments.size]).toEqual(['Cancel appointment A1?', 1]);

    const { text } = await runner.approve(request!, { by: 'reception' });

    expect([text, patients.appointments.size]).toEqual(['It is cancelled.', 0]);
  });

  it('asks for the key of the laboratory, and for no key twice', async () => {
    await using runner = await open(
      callsTool('laboratory_results', { patientId: 'P1' }),
      says('Iron is fine.'),
      callsTool('laboratory_results', { patientId: 'P1' }),
      says('Still fine.'),
    );
    const { pending } = await runner.run({ ...ADDRESS, message: 'Results?' });

    const { text, events } = await runner.supply(pending[0]!, 'secret-key');

    expect(text).toBe('Iron is fine.');
    expect(events[0]?.functionResponses[0]?.response).toEqual({
      result: [{ test: 'secret-key', value: 61 }],
    });
    expect(await runner.ask('Again?', ADDRESS)).toBe('Still fine.');
  });

  it('hands questions about money over to billing', async () => {
    await using runner = await open(
      callsTool('transfer_to_agent', { agent_name: 'billing' }),
      callsTool('open', { patientId: 'P1' }),
      says('Aurora pays nothing.'),
    );

    const { text, events } = await runner.run({ ...ADDRESS, message: 'What do I owe?' });

    expect(text).toBe('Aurora pays nothing.');
    expect(events.at(-1)?.author).toBe('billing');
  });

  it('writes a letter as a file, and recalls an earlier conversation', async () => {
    await using runner = await open(
      says('Noted.'),
      callsTool('recall', { words: 'cough' }),
      callsTool('write_letter', { patientId: 'P1', text: 'The patient has had a cough since May.' }),
      says('Written.'),
    );
    await runner.ask('My cough began in May.', ADDRESS);
    await runner.memory.addSessionToMemory((await runner.sessions.getSession(SESSION))!);

    const { events, sessionId } = await runner.run({ userId: 'ada', message: 'Write a letter.' });

    const answers = events.flatMap(({ functionResponses }) => functionResponses);
    expect(answers).toMatchObject([
      { response: { result: ['My cough began in May.'] } },
      { response: { version: 0 } },
    ]);
    const key = { appName: 'clinic', userId: 'ada', sessionId };
    expect(await runner.artifacts.load(key, 'letter-P1.txt')).toMatchObject({
      text: expect.stringContaining('May'),
    });
  });
});
