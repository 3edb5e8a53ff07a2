import { limits } from '../limits.ts'
import type { Store } from '../store.ts'

/** Whether a table has records so many, or so long, that what goes through all of them is a long write. */
export function hasManyRecords(store: Pick<Store, 'read'>, tableId: string): Promise<boolean> {
  return store.read(async (tx) => {
    const [table] = await tx.tables.findAll([tableId], 'none')
    if (!table) return false
    const schema = await tx.fields.schemaOf(table)
    const { recordsWrittenAtOnce: take, lengthWrittenAtOnce: length } = limits
    if ((await tx.records.lastNumber(schema)) > take) return true
    const page = { after: 0, skip: 0, take, length, withDeleted: true }
    return (await tx.records.page(schema, page)).isCut
  })
}
