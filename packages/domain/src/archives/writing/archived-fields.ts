import { type Cell, nobody } from '../../fields/cell.ts'
import type { Field } from '../../fields/field.ts'
import { typeOf } from '../../fields/field-values.ts'
import { foreignTableIdOf } from '../../fields/link-of.ts'
import type { LookupOptions } from '../../fields/lookup-options.ts'
import { longText } from '../../fields/types/long-text.ts'
import { limits } from '../../limits.ts'
import { sizeOf } from '../../records/stored/cell-size.ts'
import type { StoredRecord } from '../../records/stored/stored-record.ts'
import type { ColumnField } from '../../schemas/table-schema.ts'
import { beginningUpTo } from '../../values/json/json-bytes.ts'
import type { Archived } from '../format/archive-line.ts'
import { isLastName } from '../format/last-name.ts'
import type { WrittenTable } from './archive-source.ts'

/** The ids of the tables that an archive has. */
export type ArchivedTables = ReadonlySet<string>

/** What an archive says of a field. One that reads a table which doesn't come along becomes the text that it shows. */
export function toArchivedField(field: Field, tables: ArchivedTables): Archived<'field'> {
  const leadsOut = isLeadingOut(field, tables)
  const { id, tableId, name, description, dbFieldName, columnName, createdBy, createdTime } = field
  const { aiConfig } = field
  return {
    id,
    table: tableId,
    name,
    type: leadsOut ? longText.name : field.type,
    description,
    options: leadsOut ? {} : (field.options as Archived<'field'>['options']),
    ...(field.isPrimary && { isPrimary: true }),
    ...(field.unique && !leadsOut && { unique: true }),
    ...(field.notNull && !leadsOut && { notNull: true }),
    ...(aiConfig !== null && !leadsOut && { aiConfig: aiConfig as Archived<'field'>['aiConfig'] }),
    ...(field.isLookup && !leadsOut && { isLookup: true }),
    ...(field.lookupOptions && !leadsOut && { lookupOptions: toReadOptions(field.lookupOptions) }),
    dbFieldName,
    columnName,
    createdBy,
    createdTime,
  }
}

/** What a lookup reads, without what its link says of itself. */
function toReadOptions({ foreignTableId, lookupFieldId, linkFieldId, filter }: LookupOptions) {
  return { foreignTableId, lookupFieldId, linkFieldId, ...(filter && { filter }) }
}

/** Whether the field links to, or reads, a table that isn't among those of the archive. */
export function isLeadingOut(field: Field, tables: ArchivedTables): boolean {
  const foreignTableId = foreignTableIdOf(field)
  return foreignTableId !== undefined && !tables.has(foreignTableId)
}

/** A field whose cells are in an archive, and how they are told there. */
export interface ArchivedColumn {
  readonly field: ColumnField
  /** Whether they lie in the trash, or are told of records there alone: there is room of its own for these. */
  readonly isInTrash: boolean
  /** Whether they are the names of deleted records, and follow from others: those of records that live are not told. */
  readonly isLastName: boolean
  /** Whether its cells are the texts that those of a link, or of what reads through one, show. */
  readonly isShown: boolean
  toCell(record: StoredRecord): Cell | null
}

/**
 * The fields whose cells an archive has: those that people fill in, and those that follow who changed certain fields. All
 * others follow from these and from links, and are computed again; but for what deleted records were called last, where
 * the trash comes along.
 */
export function archivedColumns(
  { schema, deletions, leftOut }: Pick<WrittenTable, 'schema' | 'deletions' | 'leftOut'>,
  { tables, includeTrash }: { readonly tables: ArchivedTables; readonly includeTrash: boolean },
): readonly ArchivedColumn[] {
  return schema.columns.flatMap((column): ArchivedColumn[] => {
    const { id } = column.field
    if (leftOut.has(id)) return []
    const { index } = column.column
    const told = { field: column, isInTrash: deletions.has(id), isLastName: false }
    const toCell = ({ cells }: StoredRecord) => cells[index] ?? null
    if (isLeadingOut(column.field, tables)) {
      const toText = (record: StoredRecord) => textOf(column, toCell(record))
      return [{ ...told, isShown: true, toCell: toText }]
    }
    if (holdsOwnCells(column)) return [{ ...told, isShown: false, toCell }]
    if (!includeTrash || !isLastName(column)) return []
    return [{ ...told, isInTrash: true, isLastName: true, isShown: false, toCell }]
  })
}

/** Whether the cells of the field are of no other's making. */
export function holdsOwnCells({ field, computation }: Pick<ColumnField, 'field' | 'computation'>) {
  return !computation && !field.isLookup && typeOf(field).computation === undefined
}

/**
 * The cells of a record as they may be in one: what fields show may be longer than a cell, or a record, that is written. Such
 * texts are cut off where there is no more room.
 */
function withinRoom(
  columns: readonly ArchivedColumn[],
  cells: readonly (Cell | null)[],
): readonly (Cell | null)[] {
  if (!columns.some(({ isShown }) => isShown)) return cells
  const isOfRecord = (index: number) => !columns[index]?.isInTrash
  let room = limits.recordBytes
  for (const [index, cell] of cells.entries()) {
    if (!columns[index]?.isShown && isOfRecord(index)) room -= sizeOf(cell)
  }
  return cells.map((cell, index) => {
    if (!columns[index]?.isShown || typeof cell !== 'string') return cell
    if (!isOfRecord(index)) return beginningUpTo(limits.cellBytes, cell) || null
    const text = beginningUpTo(Math.min(room, limits.cellBytes), cell)
    room -= sizeOf(text)
    return text || null
  })
}

/** Cells that are told in the list of their record, and places of those that are told apart: the list has no room for them. */
export interface FittedCells {
  readonly cells: readonly (Cell | null)[]
  readonly apart: readonly number[]
}

/** The cells of a record as its list tells them: those of deleted fields have together as much room as those of the others. */
export function fittedCells(
  columns: readonly ArchivedColumn[],
  all: readonly (Cell | null)[],
): FittedCells {
  const cells = withinRoom(columns, all)
  let room = limits.recordBytes
  const apart = cells.flatMap((cell, index) => {
    if (!columns[index]?.isInTrash || cell === null) return []
    const bytes = sizeOf(cell)
    if (bytes > room) return [index]
    room -= bytes
    return []
  })
  return { cells, apart }
}

/** What a cell shows, as text. */
function textOf({ rules, field }: ColumnField, cell: Cell | null): string | null {
  if (cell === null || field.hasError) return null
  return rules.format(cell, nobody) || null
}
