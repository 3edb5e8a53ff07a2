/** Every record of a table. */
export const everyRecord = 'all'
