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
  abstract readonly patients: Map<string, Patient>;
  abstract readonly appointments: Map<string, Appointment>;

  appointmentsOf(patientId: string): Appointment[] {
    return [...this.appointments.values()].filter((one) => one.patientId === patientId);
  }
}

export class PatientsInMemory extends PatientRepository {
  readonly patients = new Map<string, Patient>();
  readonly appointments = new Map<string, Appointment>();
}
