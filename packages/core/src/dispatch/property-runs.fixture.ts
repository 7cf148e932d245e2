/** How many scripts a property makes up; `ADORN_PROPERTY_RUNS=5000 npm test -- properties` for a long search. */
export const PROPERTY_RUNS = Number(process.env['ADORN_PROPERTY_RUNS'] ?? 400);
