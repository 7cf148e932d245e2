import { inject, joinText, tool, type ToolContext, ToolError } from 'adorn';

import { type Patient, PatientRepository } from './patients.js';

/** The laboratory's interface; the tests and the demo have one that needs no network. */
export abstract class Laboratory {
  abstract resultsOf(patientId: string, apiKey: string): Promise<Record<string, number>>;
}

/** Files of patients, laboratory results, and what was said in earlier conversations. */
export class Records {
  constructor(
    @inject(PatientRepository) private readonly clinic: PatientRepository,
    @inject(Laboratory) private readonly laboratory: Laboratory,
  ) {}

  /** Look up a patient. @param patientId Number of the patient, such as "P1". */
  @tool({ effect: 'read' })
  findPatient(patientId: string): Patient | { error: 'unknown_patient' } {
    return this.clinic.patients.get(patientId) ?? { error: 'unknown_patient' };
  }

  /** Fetch laboratory results. @param patientId Number of the patient. */
  @tool({ effect: 'read', auth: { scheme: { type: 'apiKey', in: 'header', name: 'X-Key' }, key: 'lab' } })
  async laboratoryResults(patientId: string, context: ToolContext): Promise<Record<string, number>> {
    if (context.credential?.type !== 'apiKey') throw new ToolError('The laboratory needs its key.');
    return this.laboratory.resultsOf(patientId, context.credential.apiKey);
  }

  /**
   * Write a letter about a visit, as a file of the conversation.
   * @param patientId Number of the patient.
   * @param text The letter. @minLength 20
   */
  @tool
  async writeLetter(patientId: string, text: string, context: ToolContext): Promise<{ file: string }> {
    const file = `letter-${patientId}.txt`;
    await context.saveArtifact(file, { text });
    return { file };
  }

  /** Search what the patient said in earlier conversations. @param words Words to look for. */
  @tool({ effect: 'read' })
  async recall(words: string, context: ToolContext): Promise<string[]> {
    const found = await context.searchMemory(words, { limit: 3 });
    return found.map(({ content }) => joinText(content));
  }
}
