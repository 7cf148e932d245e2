import { agent, inject, LlmAgent, tool } from 'adorn';

import { PatientRepository } from './patients.js';

class Invoices {
  constructor(@inject(PatientRepository) private readonly clinic: PatientRepository) {}

  /** What a patient has to pay. @param patientId Number of the patient. */
  @tool({ effect: 'read' })
  open(patientId: string): { euros: number; payer: string } {
    const payer = this.clinic.patients.get(patientId)?.insurance?.company ?? 'the patient';
    return { euros: this.clinic.appointmentsOf(patientId).length * 40, payer };
  }
}

/** Answers questions about invoices and insurance. */
@agent({ instruction: 'You are the billing office of a clinic. Say amounts in euros.', tools: [Invoices] })
export class Billing extends LlmAgent {}
