import { type Cell, nobody } from '../fields/cell.ts'
import type { LookupOptions } from '../fields/derivation/lookup-options.ts'
import type { Field } from '../fields/field.ts'
import { typeOf } from '../fields/field-values.ts'
import { foreignTableIdOf } from '../fields/link-of.ts'
import { longText } from '../fields/types/long-text.ts'
import { limits } from '../limits.ts'
import { sizeOf } from '../records/cell-size.ts'
import type { StoredRecord } from '../records/stored-record.ts'
import type { ColumnField, TableSchema } from '../schemas/table-schema.ts'
import { beginningUpTo } from '../values/json-bytes.ts'
import type { Archived } from './archive-line.ts'

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
  /** Whether its cells are the texts that those of a link, or of what reads through one, show. */
  readonly isShown: boolean
  toCell(record: StoredRecord): Cell | null
}

/**
 * The fields whose cells an archive has: those that people fill in, and those that follow who changed certain fields. All
 * others follow from these and from links, and are worked out anew.
 */
export function archivedColumns(
  schema: TableSchema,
  tables: ArchivedTables,
): readonly ArchivedColumn[] {
  return schema.columns.flatMap((column): ArchivedColumn[] => {
    const { index } = column.column
    if (isLeadingOut(column.field, tables)) {
      const toCell = ({ cells }: StoredRecord) => textOf(column, cells[index] ?? null)
      return [{ field: column, isShown: true, toCell }]
    }
    if (!holdsOwnCells(column)) return []
    return [{ field: column, isShown: false, toCell: ({ cells }) => cells[index] ?? null }]
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
export function withinRoom(
  columns: readonly ArchivedColumn[],
  cells: readonly (Cell | null)[],
): readonly (Cell | null)[] {
  if (!columns.some(({ isShown }) => isShown)) return cells
  let room = limits.recordBytes
  for (const [index, cell] of cells.entries()) if (!columns[index]?.isShown) room -= sizeOf(cell)
  return cells.map((cell, index) => {
    if (!columns[index]?.isShown || typeof cell !== 'string') return cell
    const text = beginningUpTo(Math.min(room, limits.cellBytes), cell)
    room -= sizeOf(text)
    return text || null
  })
}

/** What a cell shows, as text. */
function textOf({ rules, field }: ColumnField, cell: Cell | null): string | null {
  if (cell === null || field.hasError) return null
  return rules.format(cell, nobody) || null
}
