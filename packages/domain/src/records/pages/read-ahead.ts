import { limits } from '../../limits.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'

/** Records of a list that are read before it is known how long they are as shown, where they are short. */
export function recordsReadAhead({ columns }: TableSchema): number {
  return Math.max(1, Math.floor(limits.valuesReadAhead / (columns.length + systemValues)))
}

/** Values that every record has, whatever its table. */
export const systemValues = 7
