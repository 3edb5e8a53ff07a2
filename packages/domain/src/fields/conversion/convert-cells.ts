import type { SchemaGraph } from '../../calculations/schema-graph.ts'
import { linkAbilityOf } from '../../links/make-links.ts'
import { isSameCell } from '../../records/is-same-cell.ts'
import type { WriteTx } from '../../store.ts'
import type { TableContext, TableReadContext } from '../../tables/table-context.ts'
import type { SelectOptions } from '../cells/choice.ts'
import type { Field } from '../field.ts'
import type { Cell } from '../field-type.ts'
import { dbFieldTypeOf, isComputed, typeOf } from '../field-values.ts'
import type { Column } from '../table-schema.ts'
import { choiceEdits } from './choice-edits.ts'
import { withoutMissingChoices } from './convert-cell.ts'
import { type ConversionPlace, convertedPages } from './converted-pages.ts'
import { temporaryColumnName } from './replace-column.ts'

/** What a conversion does to the cells of its field. */
export type CellChange = 'stay' | 'renameChoices' | 'convert' | 'compute'

/** What the conversion of a field does to its cells. */
export function cellChangeOf(before: Field, after: Field): CellChange {
  if (isComputed(after)) return 'compute'
  const isSameKind = before.type === after.type && before.isLookup === after.isLookup
  if (!isSameKind) return 'convert'
  const type = typeOf(after)
  if (type.choices) return 'renameChoices'
  const options = [before.options, after.options] as Record<string, unknown>[]
  const [old, next] = options.map((all) => JSON.stringify(type.cellOptions?.map((key) => all[key])))
  return old === next ? 'stay' : 'convert'
}

/** Puts other names into the cells of a select whose choices were renamed or taken away. */
export async function renameChoices(
  tx: WriteTx,
  { schema, before, after }: ConversionPlace,
): Promise<void> {
  const edits = choiceEdits(before.field.options as SelectOptions, after.options as SelectOptions)
  if (edits.size > 0 && before.column) await tx.records.replaceTexts(schema, before.column, edits)
}

/**
 * Brings the cells of a field into the form of the field as it is to be; links get their pairs too, and
 * their titles later. Returns that field: with the choices that were found in its cells.
 */
export async function convertCells(
  context: TableContext,
  graph: SchemaGraph,
  place: ConversionPlace,
): Promise<Field> {
  const { tx } = context
  const { table } = await graph.get(place.schema.tableId)
  const { before, after } = place
  const target: Column = {
    name: temporaryColumnName(after),
    type: dbFieldTypeOf(after),
    index: -1,
  }
  await tx.fields.addColumn(table, target)
  const link = linkAbilityOf(after)
  const end = link?.endOf(after.options)
  if (end) {
    await tx.links.drop(end)
    await tx.links.create(end)
  }
  const choices = new GrowingChoices(after, context)
  for await (const page of convertedPages(context, graph, place)) {
    const cells = page.flatMap(({ recordId, autoNumber, to }) => {
      const cell = to === null ? null : choices.take(to)
      return cell === null ? [] : [{ recordId, autoNumber, cell }]
    })
    if (cells.length === 0) continue
    if (link && end) {
      const links = cells.map(({ recordId, cell }) => [recordId, link.recordIds(cell)] as const)
      await tx.links.replace(end, new Map(links))
    }
    const changes = cells.map(({ autoNumber, cell }) => ({ autoNumber, values: [cell] }))
    await tx.records.setCells(place.schema, [target], changes)
  }
  if (before.column) await tx.fields.dropColumn(table, before.column.name)
  const { columnName } = before.field.columnName === null ? after : before.field
  if (columnName !== null) await tx.fields.renameColumn(table, target.name, columnName)
  return choices.field
}

/** How many cells of a conversion keep a value, and how many lose theirs. */
export async function countConverted(
  context: TableReadContext,
  graph: SchemaGraph,
  place: ConversionPlace,
): Promise<{ readonly kept: number; readonly emptied: number; readonly changed: number }> {
  const choices = new GrowingChoices(place.after, context)
  const counts = { kept: 0, emptied: 0, changed: 0 }
  for await (const page of convertedPages(context, graph, place)) {
    for (const cell of page) {
      const to = cell.to === null ? null : choices.take(cell.to)
      if (to === null) counts.emptied++
      else counts.kept++
      if (!isSameCell(to, cell.from)) counts.changed++
    }
  }
  return counts
}

/** The choices of a field that grow with the cells that name new ones, as long as there is room. */
class GrowingChoices {
  field: Field
  readonly #ids: TableReadContext['ids']
  #isFull = false

  constructor(field: Field, { ids }: Pick<TableReadContext, 'ids'>) {
    this.field = field
    this.#ids = ids
  }

  /** The cell as the field can hold it. */
  take(cell: Cell): Cell | null {
    const { choices } = typeOf(this.field)
    if (!choices) return cell
    const missing = choices.missing(this.field.options, cell)
    if (missing.length === 0) return cell
    if (!this.#isFull) {
      const options = choices.add(this.field.options, missing, this.#ids)
      this.#isFull = choices.missing(options, cell).length > 0
      this.field = { ...this.field, options }
    }
    return withoutMissingChoices(this.field, cell)
  }
}
