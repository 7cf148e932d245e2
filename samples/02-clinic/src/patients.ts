export interface Patient {
  id: string;
  name: string;
  /** Substances that the patient does not tolerate. */
  allergies: string[];
  insurance: { company: string; number: string } | null;
}

export interface Appointment {
  id: string;
  patientId: string;
  doctor: Doctor;
  at: Date;
  /** Why the patient comes. */
  reason?: string;
}

export type Doctor = 'hansen' | 'okafor' | 'silva';

/** What the clinic knows. The application binds it; the agents do not know where it is kept. */
export abstract class PatientRepository {
  abstract find(id: string): Patient | undefined;
  abstract readonly appointments: Map<string, Appointment>;
}

export class PatientsInMemory extends PatientRepository {
  readonly appointments = new Map<string, Appointment>();
  readonly patients: Patient[] = [];

  find(patientId: string): Patient | undefined {
    return this.patients.find(({ id }) => id === patientId);
  }
}
