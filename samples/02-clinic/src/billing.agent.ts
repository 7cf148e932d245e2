import { agent, inject, LlmAgent, tool } from 'adorn';

import { PatientRepository } from './patients.js';

class Invoices {
  constructor(@inject(PatientRepository) private readonly patients: PatientRepository) {}

  /** What a patient has to pay. @param patientId Number of the patient. */
  @tool({ effect: 'read' })
  open(patientId: string): { euros: number; payer: string } {
    const visits = [...this.patients.appointments.values()].filter(
      (one) => one.patientId === patientId,
    ).length;
    return { euros: visits * 40, payer: this.patients.find(patientId)?.insurance?.company ?? 'the patient' };
  }
}

/** Answers questions about invoices and insurance. */
@agent({ instruction: 'You are the billing office of a clinic. Say amounts in euros.', tools: [Invoices] })
export class Billing extends LlmAgent {}
