import { inject, tool, type ToolContext, ToolError } from 'adorn';

import { type Appointment, type Doctor, PatientRepository } from './patients.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** When and with whom: a day, or the first free hour of a doctor. */
export type Wish = { kind: 'at'; time: Date } | { kind: 'soon'; within?: 'week' | 'month' };

/** The calendar of the clinic. */
export class Appointments {
  constructor(@inject(PatientRepository) private readonly clinic: PatientRepository) {}

  /**
   * Book an appointment. One within the next 24 hours needs the receptionist's yes.
   * @param wish A time, or how soon.
   * @param patientId Number of the patient, such as "P1".
   * @param doctor Whom the patient wants to see.
   * @param reason Why the patient comes, in their words.
   */
  @tool({ confirm: (wish) => timeOf(wish).getTime() < Date.now() + DAY_MS && 'Book within 24 hours?' })
  book(wish: Wish, patientId: string, doctor: Doctor, context: ToolContext, reason?: string): Appointment {
    if (!this.clinic.patients.has(patientId)) throw new ToolError(`There is no patient ${patientId}.`);
    const id = `A${String(this.clinic.appointments.size + 1)}`;
    const appointment = { id, patientId, doctor, at: timeOf(wish), ...(reason !== undefined && { reason }) };
    this.clinic.appointments.set(id, appointment);
    context.state.set('user:last_doctor', doctor);
    context.state.set('temp:booked', id);
    return appointment;
  }

  /** Cancel an appointment for good. @param appointmentId Number of the appointment, such as "A1". */
  @tool({ effect: 'destructive', confirm: (id) => `Cancel appointment ${id}?`, approvers: 'requester' })
  cancel(appointmentId: string): { cancelled: boolean } {
    return { cancelled: this.clinic.appointments.delete(appointmentId) };
  }

  /** List the appointments of a patient, the earliest first. @param patientId Number of the patient. */
  @tool({ effect: 'read' })
  list(patientId: string): Appointment[] {
    return this.clinic.appointmentsOf(patientId).sort((a, b) => a.at.getTime() - b.at.getTime());
  }
}

function timeOf(wish: Wish): Date {
  if (wish.kind === 'at') return wish.time;
  return new Date(Date.now() + (wish.within === 'month' ? 20 : 5) * DAY_MS);
}
