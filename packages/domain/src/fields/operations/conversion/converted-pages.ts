import type { Base } from '../../../bases/base.ts'
import type { Reader } from '../../../bases/may-read-base.ts'
import { findTargets } from '../../../links/find-targets.ts'
import { findCollaborators } from '../../../records/reading/find-collaborators.ts'
import { findPeople } from '../../../records/reading/find-people.ts'
import { scanRecords } from '../../../records/reading/scan-records.ts'
import { mapInTurns } from '../../../records/showing/map-in-turns.ts'
import { cellOf } from '../../../records/stored/cell-of.ts'
import { isSameCell } from '../../../records/stored/is-same-cell.ts'
import type { NumberRange } from '../../../records/stored/number-range.ts'
import type { StoredRecord } from '../../../records/stored/stored-record.ts'
import type { SchemaGraph } from '../../../schemas/schema-graph.ts'
import type { Column, SchemaField, TableSchema } from '../../../schemas/table-schema.ts'
import type { ReadTx } from '../../../store.ts'
import type { KeptLinks } from '../../../undo/undo-step.ts'
import type { CastContext, Cell, LinkTargets, People } from '../../cell.ts'
import { nobody } from '../../cell.ts'
import { cellLength } from '../../cells/cell-length.ts'
import type { SelectOptions } from '../../cells/choice.ts'
import type { Field } from '../../field.ts'
import { rulesOf, typeOf } from '../../field-values.ts'
import { hasMany, isExclusive } from '../../link-end.ts'
import { linkCapabilityOf } from '../../link-of.ts'
import { choiceEdits } from './choices/choice-edits.ts'
import { cellConverter } from './convert-cell.ts'

/** A cell before and after the conversion of its field. */
export interface ConvertedCell {
  readonly recordId: string
  readonly autoNumber: number
  readonly from: Cell | null
  readonly to: Cell | null
  /** Whether cells that hold the same are answered alike: an id is a text, or stands for a user. */
  readonly isOfLikeKind: boolean
}

/** Whether what the cell becomes is answered as it was before. */
export function staysAsItWas({ from, isOfLikeKind }: ConvertedCell, to: Cell | null): boolean {
  return isOfLikeKind && isSameCell(to, from)
}

/** A column that keeps the values of a field, which is told as it was, in records up to a number. */
export interface KeptInColumn {
  readonly id: string
  readonly field: Field
  readonly until: number
}

/** What cells are to hold, in the records up to a number. */
export interface KeptCells {
  readonly until: number
  /** The column that is read for them, beside those of the schema, and what tells it to the background. */
  readonly column?: Column
  readonly inColumn?: KeptInColumn
  /** The cells of some records, by their ids; those that are left out are empty. */
  cellsOf(records: readonly StoredRecord[]): Promise<ReadonlyMap<string, Cell>>
}

/** A field that is to be converted, in its table. */
export interface ConversionPlace {
  readonly base: Base
  readonly schema: TableSchema
  readonly before: SchemaField
  /** The field as it is to be. */
  readonly after: Field
  /** What its cells are to hold instead of what they are converted to. */
  readonly kept?: KeptCells | undefined
  /** Which links its records are to have instead, where it is to be a link. */
  readonly links?: AsyncIterable<KeptLinks> | Iterable<KeptLinks> | undefined
  /** How the values that it had are kept; not at all where this is left out. */
  readonly keeps?: WaysKept | undefined
}

/** The ids under which it is kept what a field had, and what the background makes of it. */
export interface WaysKept {
  /** Of the column with the values that it had; absent where they are kept otherwise. */
  readonly columnId?: string | undefined
  readonly noteId: string
}

/** Cells of some records that follow one another. */
export interface ConvertedPage {
  /** Those that were filled, in the order of the records. */
  readonly cells: readonly ConvertedCell[]
  /** The records that the page goes through. */
  readonly range: NumberRange
  /** What reading and making the cells took; see limits.formulaSteps. */
  readonly steps: number
}

/** Steps that going through a record takes, whatever it holds. */
const stepsPerRecord = 5

/**
 * The cells of a field as they are in another form, page by page in the order of the records. Deleted
 * records are among them, except in links, which they have none of.
 */
export async function* convertedPages(
  reader: Reader,
  graph: SchemaGraph,
  place: ConversionPlace,
): AsyncGenerator<ConvertedPage> {
  const { schema, before, after } = place
  const { tx } = reader
  const isLink = linkCapabilityOf(after) !== undefined
  const convert = await pageConverter(reader, graph, place)
  const columns = [before.column, place.kept?.column].filter((column) => column !== undefined)
  let done = 0
  const scan = { columns, withDeleted: !isLink, parts: partsConverted(before) }
  for await (const { records, size } of scanRecords(tx, schema, scan)) {
    const until = records.at(-1)?.autoNumber ?? done
    const cells = await convert(records)
    const steps = stepsPerRecord * records.length + size + (await lengthMade(tx, cells))
    yield { cells, range: { after: done, until }, steps }
    await tx.giveWay()
    done = until
  }
  // Deleted records that stand last, where those aren't looked at.
  const rest = { after: done, until: await tx.recordScanner.lastNumber(schema) }
  yield { cells: [], range: rest, steps: 0 }
}

/** What of records a field's cells are converted from, beside cells. */
export function partsConverted({ systemColumn }: SchemaField): 'all' | 'keys' {
  return systemColumn === undefined ? 'keys' : 'all'
}

async function lengthMade(tx: ReadTx, cells: readonly ConvertedCell[]): Promise<number> {
  const lengthOf = ({ to }: ConvertedCell) => (to === null ? 0 : cellLength(to))
  const lengths = await mapInTurns(tx, cells, lengthOf, (cell) => lengthRead(cell.from))
  return lengths.reduce((sum, length) => sum + length, 0)
}

/** Characters of a cell, roughly, where it may be long: it is looked at and gone through no further. */
export function lengthRead(cell: Cell | null): number {
  if (typeof cell === 'string') return cell.length
  return Array.isArray(cell) ? cell.length * lengthOfItem : 0
}

/** Characters of an item of a cell that is a list, roughly. */
const lengthOfItem = 20

/** Makes what turns the filled cells of records into such of another form; made once for a conversion. */
export async function pageConverter(
  reader: Reader,
  graph: SchemaGraph,
  place: ConversionPlace,
): Promise<(page: readonly StoredRecord[]) => Promise<readonly ConvertedCell[]>> {
  const { before, after, kept } = place
  const isOfLikeKind =
    (before.rules.userIds === undefined) === (rulesOf(after).userIds === undefined)
  const toCell = renaming(before.field, after)
  const convert = cellConverter({ field: before.field }, after)
  const free = freeTargets(after)
  const collaborators = await collaboratorsFor(reader, place)
  const converted = async (page: readonly StoredRecord[]) => {
    const cells = page.flatMap((record) => filled(before, record, toCell))
    const context = await contextOf(reader, graph, place, cells, collaborators)
    return mapInTurns(
      reader.tx,
      cells,
      ({ recordId, autoNumber, from, cell }) => {
        const converted = cell === null ? null : convert(cell, context)
        const to = converted === null ? null : free(converted)
        return { recordId, autoNumber, from, to, isOfLikeKind }
      },
      ({ from }) => lengthRead(from),
    )
  }
  if (!kept) return converted
  return async (page) => {
    const known = page.filter(({ autoNumber }) => autoNumber <= kept.until)
    const cells = await kept.cellsOf(known)
    const restored = known.flatMap((record): ConvertedCell[] => {
      const { id: recordId, autoNumber } = record
      const [from, to] = [cellOf(before, record), cells.get(recordId) ?? null]
      return from === null && to === null ? [] : [{ recordId, autoNumber, from, to, isOfLikeKind }]
    })
    return [...restored, ...(await converted(page.slice(known.length)))]
  }
}

interface FilledCell {
  readonly recordId: string
  readonly autoNumber: number
  readonly from: Cell
  readonly cell: Cell | null
}

function filled(
  before: SchemaField,
  record: StoredRecord,
  toCell: (cell: Cell) => Cell | null,
): FilledCell[] {
  const from = cellOf(before, record)
  const { id: recordId, autoNumber } = record
  return from === null ? [] : [{ recordId, autoNumber, from, cell: toCell(from) }]
}

/** Names of choices as they are to be, where both fields have choices. */
function renaming(before: Field, after: Field): (cell: Cell) => Cell | null {
  const haveChoices = typeOf(before).choices && typeOf(after).choices && !before.isLookup
  if (!haveChoices) return (cell) => cell
  const edits = choiceEdits(before.options as SelectOptions, after.options as SelectOptions)
  const rename = (name: string) => (edits.has(name) ? (edits.get(name) ?? null) : name)
  return (cell) => {
    if (!Array.isArray(cell)) return rename(cell as string)
    const names = (cell as readonly string[]).map(rename).filter((name) => name !== null)
    return names.length > 0 ? names : null
  }
}

/** Takes links out of cells that records before them have, where a record takes one link at most. */
function freeTargets(after: Field): (cell: Cell) => Cell | null {
  const capability = linkCapabilityOf(after)
  const relationship = capability?.endOf(after.options).relationship
  if (!capability || !relationship || !isExclusive(relationship)) return (cell) => cell
  const taken = new Set<string>()
  return (cell) => {
    const ids = capability.recordIds(cell).filter((id) => !taken.has(id))
    for (const id of ids) taken.add(id)
    const items = ids.map((id) => ({ id }))
    if (items.length === 0) return null
    return hasMany(relationship) ? items : (items[0] ?? null)
  }
}

async function collaboratorsFor(
  { tx }: Reader,
  { base, after, before }: ConversionPlace,
): Promise<People> {
  const needsPeople = rulesOf(after).userIds ?? before.rules.userIds
  return needsPeople ? findCollaborators(tx, base) : nobody
}

/** What a page of cells may name: people, and records of the linked table. */
async function contextOf(
  reader: Reader,
  graph: SchemaGraph,
  { base, before, after }: ConversionPlace,
  cells: readonly FilledCell[],
  collaborators: People,
): Promise<CastContext> {
  const { userIds, format } = before.rules
  const ids = userIds ? new Set(cells.flatMap(({ from }) => userIds(from))) : new Set<string>()
  const named = await findPeople(reader.tx, ids)
  const people = {
    name: (id: string) => named.name(id) ?? collaborators.name(id),
    find: collaborators.find,
  }
  const capability = linkCapabilityOf(after)
  if (!capability) return { people }
  const texts = new Set<string>()
  const noteTexts = ({ cell }: FilledCell) => {
    if (cell !== null) for (const text of capability.texts(format(cell, people))) texts.add(text)
  }
  await mapInTurns(reader.tx, cells, noteTexts, ({ from }) => lengthRead(from))
  const place = { field: after, baseId: base.id }
  const targets: LinkTargets | undefined =
    texts.size === 0 ? undefined : await findTargets(reader, graph, place, [...texts])
  return { people, ...(targets ? { targets } : {}) }
}
