import { sqlStorage } from '@adorn/storage';
import { agent, ContainerModule, LlmAgent } from 'adorn';

import { Appointments } from './appointments.js';
import { Billing } from './billing.agent.js';
import { PatientRepository, PatientsInMemory } from './patients.js';
import { Laboratory, Records } from './records.js';

/** The appointment desk of a clinic. */
@agent({
  model: 'gemini-2.5-flash',
  tools: [Appointments, Records],
  subAgents: [Billing],
  instruction: `You are the appointment desk of a clinic. The last doctor was {user:last_doctor?}. Look patients up before
you book, recall what they said earlier, and hand questions about money over to billing.`,
})
export class Clinic extends LlmAgent {}

/** For `adorn run`: a patient, a laboratory, and conversations that end with the process. */
export const modules = [
  sqlStorage(':memory:'),
  new ContainerModule(({ bind }) => {
    const clinic = new PatientsInMemory();
    clinic.patients.set('P1', { id: 'P1', name: 'Ada', allergies: ['penicillin'], insurance: null });
    bind(PatientRepository).toConstantValue(clinic);
    bind(Laboratory).toConstantValue({ resultsOf: async () => ({ iron: 61 }) });
  }),
];
