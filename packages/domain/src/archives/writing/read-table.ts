import { isConverting } from '../../fields/field-values.ts'
import { requireConverted } from '../../fields/operations/require-converted.ts'
import type { WholeSchema } from '../../schemas/whole-schema.ts'
import type { ReadTx } from '../../store.ts'
import type { Table } from '../../tables/table.ts'
import { deletedPages } from '../../trash/deleted-pages.ts'
import { findEntries } from '../../trash/find-entries.ts'
import type { TrashEntry } from '../../trash/trash-entry.ts'
import { compareOrder } from '../../values/ordering.ts'
import type { View } from '../../views/view.ts'
import { type ArchiveSource, changedMeanwhile, fieldsToWrite } from './archive-source.ts'
import type { SettingsRoom } from './settings-room.ts'

/** A view, and the operation that deleted it; undefined for one that lives. */
interface ViewToWrite {
  readonly view: View
  readonly deletion: string | undefined
}

/** What an archive may have of a table before its records. */
export interface TableToWrite extends WholeSchema {
  readonly table: Table
  /** The operation that deleted it; undefined for one that lives. */
  readonly deletion: string | undefined
  /** In their order, but for those that are in no entry of the trash any more. */
  readonly views: readonly ViewToWrite[]
  /** The entries of the trash that its deleted fields and views belong to, by id: those of fields may be another table's. */
  readonly entries: ReadonlyMap<string, TrashEntry>
  /** Whether values are in another form than their field. */
  readonly isConverting: boolean
}

/** Reads the settings of a table. Throws `conflict` where one that lives is being converted, or is gone. */
export async function readTable(
  source: ArchiveSource,
  { id, deletion }: { readonly id: string; readonly deletion: string | undefined },
  room: SettingsRoom,
): Promise<TableToWrite> {
  const isLiving = deletion === undefined
  return source.read(async (tx) => {
    const [living] = await tx.tables.findAll([id], 'none')
    const table = isLiving ? living : await tx.tables.findInBase(id)
    if (!table || (living !== undefined) !== isLiving) throw changedMeanwhile()
    const { schema, deletions } = await fieldsToWrite(source, tx, table)
    const fields = schema.fields.map(({ field }) => field)
    const own = fields.filter((field) => !deletions.has(field.id))
    if (isLiving && source.includeData) requireConverted(own, 'export the base')
    for (const field of fields) {
      if (isLiving && !deletions.has(field.id)) room.take(field)
      else room.takeDeleted(field)
    }
    const allViews = await viewsOf(tx, source, table.id)
    for (const { view, deletion } of allViews) {
      if (isLiving && deletion === undefined) room.take(view)
      else room.takeDeleted(view)
    }
    const operations = [...deletions.values(), ...allViews.flatMap((one) => one.deletion ?? [])]
    const entries = await findEntries(tx, operations)
    const views = allViews.filter(({ view, deletion }) => {
      const entry = entries.get(deletion ?? '')
      return deletion === undefined || entry?.resourceIds.includes(view.id)
    })
    const settings = { table, deletion, schema, deletions, views, entries }
    return { ...settings, isConverting: own.some(isConverting) }
  })
}

async function viewsOf(
  tx: Pick<ReadTx, 'views'>,
  { includeTrash }: Pick<ArchiveSource, 'includeTrash'>,
  tableId: string,
): Promise<readonly ViewToWrite[]> {
  const all: ViewToWrite[] = []
  for (const view of await tx.views.listOf(tableId)) all.push({ view, deletion: undefined })
  if (!includeTrash) return all
  for await (const page of deletedPages((page) => tx.views.deletedIn(tableId, page))) {
    for (const { thing: view, operationId } of page) all.push({ view, deletion: operationId })
  }
  return all.toSorted((a, b) => compareOrder(a.view, b.view))
}
