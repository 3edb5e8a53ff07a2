/** The kind of job that works out the pending fields of one table. */
export const calculationKind = 'calculate-pending'

/** The id of the job for a table. */
export function jobIdOf(tableId: string): string {
  return `${calculationKind}:${tableId}`
}

/** The table that the job with the id is for. */
export function tableIdOf(jobId: string): string {
  return jobId.slice(calculationKind.length + 1)
}
