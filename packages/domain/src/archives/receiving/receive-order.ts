import { limits } from '../../limits.ts'
import { loadTable, type Receiving, tookTooLong } from './receiving.ts'

/** Puts the rows of a view into the order of the numbers in the lists that follow. */
export async function receiveOrder(receiving: Receiving, archivedId: string): Promise<void> {
  const { context, reader, made, begun } = receiving
  const { store, baseId, ids } = context
  const known = made.views.get(archivedId)
  if (!known) throw reader.wrong(`"${archivedId}" is no view of the archive`)
  if (begun.has(archivedId)) throw reader.wrong('the order of the view is there twice')
  begun.add(archivedId)
  const { view, sort } = known
  const orderId = ids.next('rowOrder')
  const frozenNumber = receiving.last.get(view.tableId) ?? 0
  await store.write(async (tx) => {
    await loadTable(tx, view.tableId)
    const { tableId, id } = view
    const now =
      (await tx.views.find(tableId, id, 'update')) ?? (await tx.views.findDeleted(tableId, id))
    if (!now) throw tookTooLong()
    await tx.rowOrders.create(baseId, orderId)
    await tx.views.update({
      ...now,
      sort,
      rowOrder: { id: orderId, frozenNumber, renumberedVersion: 0 },
    })
  })
  let noted = 0
  for (;;) {
    const item = await reader.next()
    if (item?.kind !== 'list') {
      reader.putBack(item)
      return
    }
    const numbers = requireNumbers(receiving, item.said).filter((number) => number <= frozenNumber)
    const after = noted
    await store.write(async (tx) => {
      await loadTable(tx, view.tableId)
      const before = await tx.rowOrders.notedOf(baseId, orderId, numbers)
      if (before.size > 0) throw reader.wrong('a record stands in the order twice')
      const part = JSON.stringify(numbers.map(String))
      if (numbers.length > 0) await tx.rowOrders.append(baseId, orderId, part, after)
    })
    noted += numbers.length
  }
}

function requireNumbers({ reader }: Receiving, said: readonly unknown[]): readonly number[] {
  const isRight =
    said.length <= limits.placesNotedAtOnce &&
    new Set(said).size === said.length &&
    said.every((number) => Number.isSafeInteger(number) && (number as number) > 0)
  if (isRight) return said as readonly number[]
  throw reader.wrong(
    `an order must be lists of at most ${limits.placesNotedAtOnce} numbers of records, each once`,
  )
}
