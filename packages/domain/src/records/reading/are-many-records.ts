import { limits } from '../../limits.ts'

/** Characters, roughly, of an item of a list. */
const lengthOfItem = 20

/** Whether the records that a request writes are so many, or so long, that this is a long write. */
export function areManyRecords(
  records: readonly { readonly fields: Readonly<Record<string, unknown>> }[],
): boolean {
  if (records.length > limits.recordsWrittenAtOnce) return true
  let length = 0
  for (const { fields } of records) {
    for (const key in fields) {
      const value = fields[key]
      if (typeof value === 'string') length += value.length
      else if (Array.isArray(value)) length += value.length * lengthOfItem
    }
    if (length > limits.lengthWrittenAtOnce) return true
  }
  return false
}
