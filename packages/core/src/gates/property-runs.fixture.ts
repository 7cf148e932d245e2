/** How many scripts a property makes up; `ADORN_PROPERTY_RUNS=5000 npm test -- properties` for a long search. */
export const PROPERTY_RUNS = Number(process.env['ADORN_PROPERTY_RUNS'] ?? 100);

/** Milliseconds for a property: a long search takes as long as it takes. */
export const PROPERTY_TIMEOUT = process.env['ADORN_PROPERTY_RUNS'] === undefined ? 600_000 : 24 * 3_600_000;
