import type { RecordWriter } from '@gateleg/domain/records/record-writer'
import type { Store, WriteTx } from '@gateleg/domain/store'

/** What becomes of a change that is undone once it has worked. */
const undone = Object.assign(new Error('undone'), { code: 'done' })

/** A store whose changes are undone for as long as it is told so: their calls fail with the code `done`. */
export function undoingStore(store: Store, isUndoing: () => boolean): Store {
  return {
    read: (work, options) => store.read(work, options),
    giveWay: () => store.giveWay(),
    write: (work, options) =>
      store.write(async (tx) => {
        if (!isUndoing()) return work(tx)
        keepFromEnding(tx)
        await work(tx)
        throw undone
      }, options),
  }
}

/** Has a transaction go on after what would be its last: a storage may commit along with that. */
function keepFromEnding({ recordWriter }: WriteTx): void {
  const { insert, update } = recordWriter
  Object.assign(recordWriter, {
    insert: (schema, records, by) =>
      insert.call(recordWriter, schema, records, { ...by, isLast: false }),
    update: (schema, columns, changes, by) =>
      update.call(recordWriter, schema, columns, changes, { ...by, isLast: false }),
  } satisfies Pick<RecordWriter, 'insert' | 'update'>)
}
