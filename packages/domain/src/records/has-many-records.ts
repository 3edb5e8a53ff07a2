import { limits } from '../limits.ts'
import type { Store } from '../store.ts'

/** Whether a table has so many records that what goes through all of them is a long write. */
export function hasManyRecords(store: Pick<Store, 'read'>, tableId: string): Promise<boolean> {
  return store.read(async (tx) => {
    const [table] = await tx.tables.findAll([tableId], 'none')
    if (!table) return false
    const schema = await tx.fields.schemaOf(table)
    return (await tx.recordScanner.lastNumber(schema)) > limits.recordsChangedAtOnce
  })
}
