import { limits } from '../../limits.ts'
import { findOversize, unitsOf } from '../../records/stored/cell-size.ts'
import type { StoredRecord } from '../../records/stored/stored-record.ts'
import { toCell, toFitting } from './fitting-rows.ts'
import { loadSchema, type Receiving } from './receiving.ts'

/**
 * Puts those cells of a deleted field into records for which these had no room in the archive, as the lists that follow say:
 * each is the number of a record that has come, and its cell.
 */
export async function receiveCells(receiving: Receiving, archivedId: string): Promise<void> {
  const { context, reader, made } = receiving
  const field = made.fields.get(archivedId)
  if (!field || !made.deletions.has(field.id)) {
    throw reader.wrong(`"${archivedId}" is no deleted field of the archive`)
  }
  const { tableId } = field
  const { store } = context
  const schema = await store.read((tx) => loadSchema(receiving, tx, tableId))
  const column = schema.columns.find((one) => one.field.id === field.id)
  if (!column || column.computation) throw reader.wrong(`"${field.name}" has no cells of its own`)
  let rows: StoredRecord[] = []
  let length = 0
  const flush = async () => {
    const flushed = rows
    rows = []
    length = 0
    if (flushed.length === 0) return
    await store.write(async (tx) => {
      const now = await loadSchema(receiving, tx, tableId)
      const fitting = await toFitting(receiving, tx, now, { rows: flushed, deletions: new Map() })
      const changes = fitting.map(({ autoNumber, cells }) => ({
        autoNumber,
        values: [cells[column.column.index] ?? null],
      }))
      await tx.recordWriter.setCells(now, [column.column], changes, { keepsVersions: true })
    })
  }
  for (let before = 0; ; ) {
    const item = await reader.next()
    if (item?.kind !== 'list') {
      reader.putBack(item)
      break
    }
    const [number, said] = item.said
    const isNumber = Number.isSafeInteger(number) && (number as number) > before
    if (
      !isNumber ||
      item.said.length !== 2 ||
      (number as number) > (receiving.last.get(tableId) ?? 0)
    ) {
      throw reader.wrong(
        'must be the number of a record that came, greater than that before, and a cell',
      )
    }
    before = number as number
    const cell = toCell(receiving, column, said)
    const oversize = findOversize({ cells: [cell], row: [cell], before: [] }, unitsOf([cell]))
    if (oversize) throw reader.wrong(oversize.message)
    const cells = schema.columns.map((one) => (one === column ? cell : null))
    rows.push({ ...noRecord, id: `record ${before}`, autoNumber: before, cells })
    length += reader.length
    if (rows.length >= limits.recordsPerArchivePiece || length >= limits.archivePieceLength) {
      await flush()
    }
  }
  await flush()
}

/** What is not changed of a record. */
const noRecord = {
  createdTime: '',
  lastModifiedTime: '',
  createdBy: '',
  lastModifiedBy: null,
  version: 1,
}
