import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
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
  const clinic = new PatientsInMemory();
  clinic.patients.set('P1', { id: 'P1', name: 'Ada', allergies: [], insurance: null });
  const container = new Container();
  container.bind(PatientRepository).toConstantValue(clinic);
  container.bind(Laboratory).toConstantValue({ resultsOf: async (_id, key) => ({ [key]: 61 }) });
  afterAll(() => rm(dirname(file), { recursive: true }));

  /** A desk over the same file each time, as a process that is started again. */
  function open(...steps: ScriptedStep[]): Promise<Runner> {
    const model = new ScriptedModel(...steps);
    return createRunner(Clinic, { container, modules: [sqlStorage(file)], model });
  }

  it('books at once for next week, and remembers the doctor', async () => {
    const wish = { kind: 'soon' };
    const books = callsTool('book', { wish, patientId: 'P1', doctor: 'silva', reason: 'cough' });
    await using runner = await open(books, says('Booked.'));

    await runner.ask('Book.', ADDRESS);

    expect(clinic.appointments.get('A1')).toMatchObject({ doctor: 'silva', reason: 'cough' });
    const session = await runner.sessions.getSession(SESSION);
    expect({ ...session?.state }).toEqual({ 'user:last_doctor': 'silva' });
  });

  it('asks before it books within 24 hours', async () => {
    const wish = { kind: 'at', time: new Date().toISOString() };
    await using runner = await open(callsTool('book', { wish, patientId: 'P1', doctor: 'silva' }));

    const { pending } = await runner.run({ userId: 'ada', message: 'Now!' });

    expect([pending[0]?.hint, clinic.appointments.size]).toEqual(['Book within 24 hours?', 1]);
  });

  it('keeps a cancellation that waits for its yes over a restart', async () => {
    const asking = await open(callsTool('cancel', { appointmentId: 'A1' }));
    expect((await asking.run({ ...ADDRESS, message: 'Cancel A1.' })).status).toBe('paused');
    await asking.close();
    await using runner = await open(says('It is cancelled.'));
    const [request] = await runner.pending(ADDRESS);
    expect([request?.hint, clinic.appointments.size]).toEqual(['Cancel appointment A1?', 1]);

    const { text } = await runner.approve(request!);

    expect([text, clinic.appointments.size]).toEqual(['It is cancelled.', 0]);
  });

  it('asks for the key of the laboratory, and for no key twice', async () => {
    const asks = callsTool('laboratory_results', { patientId: 'P1' });
    await using runner = await open(asks, says('Iron is fine.'), asks, says('Still fine.'));
    const { pending } = await runner.run({ ...ADDRESS, message: 'Results?' });

    const { text, events } = await runner.supply(pending[0]!, 'secret-key');

    expect(text).toBe('Iron is fine.');
    expect(events[0]?.functionResponses[0]?.response).toEqual({ 'secret-key': 61 });
    expect(await runner.ask('Again?', ADDRESS)).toBe('Still fine.');
  });

  it('hands questions about money over to billing', async () => {
    const transfers = callsTool('transfer_to_agent', { agent_name: 'billing' });
    await using runner = await open(transfers, callsTool('open', { patientId: 'P1' }), says('Nothing.'));

    const { text, events } = await runner.run({ ...ADDRESS, message: 'What do I owe?' });

    expect(text).toBe('Nothing.');
    expect(events.at(-1)?.author).toBe('billing');
  });

  it('writes a letter as a file, and recalls an earlier conversation', async () => {
    const letter = { text: 'The patient has had a cough since May.' };
    const recalls = callsTool('recall', { words: 'cough' });
    const writes = callsTool('write_letter', { patientId: 'P1', ...letter });
    await using runner = await open(says('Noted.'), recalls, writes, says('Written.'));
    await runner.ask('My cough began in May.', ADDRESS);
    await runner.memory.addSessionToMemory((await runner.sessions.getSession(SESSION))!);

    const { events, sessionId } = await runner.run({ userId: 'ada', message: 'Write a letter.' });

    const answers = events.flatMap((event) => event.functionResponses.map(({ response }) => response));
    expect(answers).toEqual([{ result: ['My cough began in May.'] }, { file: 'letter-P1.txt' }]);
    const key = { appName: 'clinic', userId: 'ada', sessionId };
    expect(await runner.artifacts.load(key, 'letter-P1.txt')).toMatchObject(letter);
  });
});
