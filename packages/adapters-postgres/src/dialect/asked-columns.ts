import { systemColumns } from '@gateleg/sql/record-tables/system-columns'

const { id, autoNumber, deletionId } = systemColumns

/**
 * The columns of records for which nearly all statements ask. To look at all fields of a table, of which there may be hundreds,
 * takes seconds.
 */
export const askedColumns = [id, autoNumber, deletionId] as const
