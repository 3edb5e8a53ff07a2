import { StepBudget } from '../../../calculations/evaluation/step-budget.ts'
import { assert } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import { LinkBatch } from '../../../links/link-batch.ts'
import { requireRoomForLinks } from '../../../links/link-room.ts'
import { linkedCells } from '../../../links/linked-cells.ts'
import type { SizedRange } from '../../../records/reading/record-size-reader.ts'
import { mapInTurns } from '../../../records/showing/map-in-turns.ts'
import type { NumberRange } from '../../../records/stored/number-range.ts'
import type { StoredRecord } from '../../../records/stored/stored-record.ts'
import type { SchemaGraph } from '../../../schemas/schema-graph.ts'
import type { Column, SchemaField, TableSchema } from '../../../schemas/table-schema.ts'
import type { ReadTx, WriteTx } from '../../../store.ts'
import type { Table } from '../../../tables/table.ts'
import type { TableContext, TableReadContext } from '../../../tables/table-context.ts'
import type { Cell } from '../../cell.ts'
import type { SelectOptions } from '../../cells/choice.ts'
import type { Field } from '../../field.ts'
import { dbFieldTypeOf, isComputed, typeOf } from '../../field-values.ts'
import { linkCapabilityOf } from '../../link-of.ts'
import { keepValues } from '../columns/keep-values.ts'
import { makeColumns } from '../columns/replace-column.ts'
import { roomBeside, settingsLength } from '../definition/options-room.ts'
import { WholeWrite } from '../whole-write.ts'
import { choiceEdits } from './choices/choice-edits.ts'
import { withoutMissingChoices } from './convert-cell.ts'
import {
  type ConversionPlace,
  type ConvertedCell,
  convertedPages,
  type KeptCells,
  lengthRead,
  staysAsItWas,
} from './converted-pages.ts'
import { putLinksBack } from './kept-values/kept-links.ts'
import { keepPlaces, type PlacesKept } from './places-kept.ts'
import { setTrashedLinksAside } from './trashed-links.ts'

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

/** Choices of a select that get other names, or none any more, in the cells of these records. */
export interface Renaming {
  readonly edits: ReadonlyMap<string, string | null>
  readonly ranges: readonly SizedRange[]
}

/**
 * What is to be renamed in the cells of a select whose choices were renamed or taken away. Undefined where the
 * records are too long to be changed in one write and need not be: then the field is converted. Throws
 * validation_error where that is too much for the one write that it must be.
 */
export async function renamingOf(
  tx: ReadTx,
  { schema, before, after }: ConversionPlace,
): Promise<Renaming | undefined> {
  const edits = choiceEdits(before.field.options as SelectOptions, after.options as SelectOptions)
  if (edits.size === 0 || !before.column) return { edits, ranges: [] }
  const canWait = !after.unique && !after.notNull
  const whole = new WholeWrite(['options', 'choices'], 'rename or remove their choices')
  const ranges = await whole.rangesOf(tx, schema, { canWait })
  return ranges && { edits, ranges }
}

/** Puts other names into the cells of a select. */
export async function renameChoices(
  tx: WriteTx,
  { schema, before }: ConversionPlace,
  { edits, ranges }: Renaming,
): Promise<void> {
  if (!before.column) return
  for (const range of ranges) {
    await tx.columns.replaceTexts(schema, before.column, edits, range)
    await tx.giveWay()
  }
}

/** How far the cells of a field were brought into the form of the field as it is to be. */
export interface Converted {
  /** The field as it is to be, with the choices that were found in its cells. */
  readonly after: Field
  /** The field as it was, its values in a column that no field has any more. */
  readonly source: SchemaField
  readonly target: Column
  /** Records up to this number are done; undefined when all are. */
  readonly reached: number | undefined
}

/**
 * Brings the cells of a field into the form of the field as it is to be, until the budget is spent; links
 * get their pairs too, and their titles later.
 */
export async function convertCells(
  context: TableContext,
  graph: SchemaGraph,
  place: ConversionPlace,
  budget: StepBudget,
): Promise<Converted> {
  const { tx } = context
  const { schema, before, after } = place
  const { table } = await graph.get(schema.tableId)
  const name = before.column?.name ?? after.columnName
  assert(name !== null, 'a field that is entered has a column')
  const { source, emptied } = await retireSource(context, table, place)
  const target: Column = { name, type: dbFieldTypeOf(after), index: -1 }
  await makeColumns(tx, table, [target])
  const link = linkCapabilityOf(after)
  const places = place.links ? undefined : await keepPlaces(context, before.field, after)
  const links = await makeLinksPlace(context, graph, place, places)
  const choices = new GrowingChoices(after, schema, context)
  const kept = place.links ? cellsOfLinks(tx, after) : place.kept
  for await (const page of convertedPages(context, graph, { ...place, kept, before: source })) {
    const cells = await choices.takeAll(tx, page.cells)
    if (link && links) {
      for (const { recordId, cell } of cells) {
        if (cell !== null) links.add(recordId, link.recordIds(cell))
      }
      if (links.areMany) await links.store()
    }
    // Cells of a field that has an error show nothing of what its column has, such as values of deleted records.
    const isAll = !link && !before.field.hasError && cells.every(({ cell }) => cell !== null)
    const { range } = page
    await storeConverted(tx, schema, { target, source: emptied, cells, range, isAll })
    budget.spend(page.steps)
    const isCut = budget.isSpent && range.until < (await tx.recordScanner.lastNumber(schema))
    if (isCut) return { after: choices.field, source, target, reached: range.until }
  }
  await links?.store()
  await places?.forget()
  if (emptied) await tx.fields.noteEmptied(table.id, [emptied.name], undefined)
  return { after: choices.field, source, target, reached: undefined }
}

/** What the pairs of a link say, before its titles are known. */
function cellsOfLinks(tx: WriteTx, field: Field): KeptCells {
  const idsOf = (records: readonly StoredRecord[]) => records.map(({ id }) => id)
  return { until: Infinity, cellsOf: (records) => linkedCells(tx, field, idsOf(records)) }
}

/**
 * Makes the place of the pairs of a field that is to be a link, with those that were kept in it. Answers where the links of
 * its cells are to be stored, unless these are kept ones; undefined for no link, too.
 */
async function makeLinksPlace(
  context: TableContext,
  graph: SchemaGraph,
  { schema, before, after, links }: ConversionPlace,
  places: PlacesKept | undefined,
): Promise<LinkBatch | undefined> {
  const { tx } = context
  const end = linkCapabilityOf(after)?.endOf(after.options)
  if (!end) return undefined
  // Kept ones are told with those of records in the trash.
  const putLost = links ? undefined : await setTrashedLinksAside(context, before.field, after)
  await tx.links.drop(end)
  await tx.links.create(end)
  await putLost?.(end)
  if (!links) {
    return new LinkBatch(tx, end, {
      check: (stored) => requireRoomForLinks(tx, schema, after.id, stored),
      placesOf: places?.of,
    })
  }
  await putLinksBack(tx, graph, { schema, field: after }, links)
  return undefined
}

/**
 * The field as it was, its values in a column that no field has from now on, and that column where it is to be emptied:
 * unless they are kept in it.
 */
export async function retireSource(
  { tx, now }: TableContext,
  table: Table,
  { before, keeps }: Pick<ConversionPlace, 'before' | 'keeps'>,
): Promise<{ readonly source: SchemaField; readonly emptied: Column | undefined }> {
  if (!before.column) return { source: before, emptied: undefined }
  const [retired] = await tx.fields.retireColumns(table, [before.column])
  assert(retired, 'one column is retired as one')
  const column = { ...before.column, name: retired.name }
  const source = { ...before, column }
  const id = keeps?.columnId
  if (id === undefined) return { source, emptied: column }
  const of = { tableId: table.id, fieldId: before.field.id }
  await keepValues({ tx, now }, { id, ...of, columnName: column.name })
  return { source, emptied: undefined }
}

/** Cells of some records in the form of their field as it is to be. */
interface ConvertedPage {
  readonly target: Column
  /** Where the values come from, if that is a column of their own; it is empty in the range afterwards. */
  readonly source: Column | undefined
  readonly cells: readonly Pick<TakenCell, 'autoNumber' | 'cell' | 'isAsBefore'>[]
  readonly range: NumberRange
  /** Whether the cells come from all values that there are in the range: none is left to be emptied. */
  readonly isAll: boolean
  /** What a record takes as it is stored, on average, where that was measured before they were read. */
  readonly bytesPerRecord?: number | undefined
}

/**
 * Stores cells, and empties those that they came from. May leave out what a storage has no room for. Versions
 * count where a cell is another than before; those that may be left out count all.
 */
export async function storeConverted(
  tx: WriteTx,
  schema: TableSchema,
  { target, source, cells, range, isAll, bytesPerRecord: bytes }: ConvertedPage,
  mayLeaveOut = false,
): Promise<void> {
  const emptied = source ? [source] : []
  // What no column holds is emptied with the cells that it would have become, what one holds in that column.
  const stored = cells.filter(({ cell }) => cell !== null || !source)
  const toChanges = (some: typeof stored) =>
    some.map(({ autoNumber, cell }) => ({ autoNumber, values: [cell], bytes }))
  // The old value goes with the same change: to store a record twice would take twice as long.
  if (mayLeaveOut) {
    await tx.recordWriter.setCells(schema, [target], toChanges(stored), { emptied, mayLeaveOut })
  } else {
    const moved = toChanges(stored.filter(({ isAsBefore }) => isAsBefore))
    const changed = toChanges(stored.filter(({ isAsBefore }) => !isAsBefore))
    const { recordWriter } = tx
    if (moved.length > 0) {
      await recordWriter.setCells(schema, [target], moved, { emptied, keepsVersions: true })
    }
    if (changed.length > 0) await recordWriter.setCells(schema, [target], changed, { emptied })
  }
  if (source && !isAll) await tx.columns.empty(schema, emptied, range)
}

/**
 * How many cells of a conversion keep a value, and how many lose theirs: of as many as a write may convert.
 */
export async function countConverted(
  context: TableReadContext,
  graph: SchemaGraph,
  place: ConversionPlace,
): Promise<{ readonly kept: number; readonly emptied: number; readonly changed: number }> {
  const choices = new GrowingChoices(place.after, place.schema, context)
  const counts = { kept: 0, emptied: 0, changed: 0 }
  const budget = new StepBudget(limits.stepsPerWrite)
  for await (const { cells, steps } of convertedPages(context, graph, place)) {
    const count = (converted: ConvertedCell) => {
      const to = converted.to === null ? null : choices.take(converted.to)
      if (to === null) counts.emptied++
      else counts.kept++
      if (!staysAsItWas(converted, to)) counts.changed++
    }
    await mapInTurns(context.tx, cells, count, ({ from }) => lengthRead(from))
    budget.spend(steps)
    if (budget.isSpent) break
  }
  return counts
}

/** A cell in the form of its field. */
interface TakenCell {
  readonly recordId: string
  readonly autoNumber: number
  /** Null for one that the field can't hold. */
  readonly cell: Cell | null
  /** Whether it is answered as it was before. */
  readonly isAsBefore: boolean
}

/** The choices of a field that grow with the cells that name new ones, as long as there is room. */
export class GrowingChoices {
  field: Field
  readonly #ids: TableReadContext['ids']
  #isFull = false

  /** Characters that the settings of the field may still grow by. */
  #room: number

  constructor(field: Field, schema: TableSchema, { ids }: Pick<TableReadContext, 'ids'>) {
    this.field = field
    this.#room = roomBeside(schema, field.id) - settingsLength(field)
    this.#ids = ids
  }

  /** The cells, as far as the field can hold them. */
  async takeAll(
    tx: Pick<WriteTx, 'giveWay'>,
    converted: readonly ConvertedCell[],
  ): Promise<readonly TakenCell[]> {
    const toTaken = (one: ConvertedCell): TakenCell => {
      const { recordId, autoNumber, to } = one
      const cell = to === null ? null : this.take(to)
      return { recordId, autoNumber, cell, isAsBefore: staysAsItWas(one, cell) }
    }
    return mapInTurns(tx, converted, toTaken, ({ from }) => lengthRead(from))
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
      const known = (this.field.options as SelectOptions).choices.length
      // The new ones alone, with a comma: all that are there would be weighed once for every cell.
      const length = JSON.stringify((options as SelectOptions).choices.slice(known)).length - 1
      if (length > this.#room) this.#isFull = true
      else {
        this.#room -= length
        this.field = { ...this.field, options }
      }
    }
    return withoutMissingChoices(this.field, cell)
  }
}
