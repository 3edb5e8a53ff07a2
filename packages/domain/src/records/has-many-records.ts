import { limits } from '../limits.ts'
import type { Store } from '../store.ts'

/** Whether a table has had so many records that what goes through all of them is a long write. */
export function hasManyRecords(store: Pick<Store, 'read'>, tableId: string): Promise<boolean> {
  return store.read(async (tx) => {
    const [table] = await tx.tables.findAll([tableId], 'none')
    if (!table) return false
    const last = await tx.records.lastNumber(await tx.fields.schemaOf(table))
    return last > limits.recordsWrittenAtOnce
  })
}
