import type { Cell } from '../../fields/cell.ts'
import type { ColumnField } from '../../schemas/table-schema.ts'
import { isStorable } from '../../values/storable-text.ts'
import type { CellValueType } from '../../values/value-type.ts'
import { timestampSchema } from './archive-line.ts'
import type { ArchiveReader } from './archive-reader.ts'

/**
 * Whether the cells of the field are the names of records, and follow from others. An archive has those of deleted records:
 * what a trash calls them is of when they were deleted, and follows from nothing that is there any more.
 */
export function isLastName({ field, computation }: Pick<ColumnField, 'field' | 'computation'>) {
  return field.isPrimary && computation !== undefined
}

/** What a record was called last. Throws validation_error for a value of another kind, and for any of a record that lives. */
export function toLastName(
  reader: Pick<ArchiveReader, 'wrong'>,
  { field, values }: Pick<ColumnField, 'field' | 'values'>,
  { said, isDeleted }: { readonly said: unknown; readonly isDeleted: boolean },
): Cell | null {
  if (said === null) return null
  if (!isDeleted) throw reader.wrong(`"${field.name}" is computed: only deleted records have it`)
  const isValue = isOfKind[values.cellValueType]
  const items = values.isMultiple && Array.isArray(said) ? said : [said]
  if (values.isMultiple === Array.isArray(said) && items.every(isValue)) return said as Cell
  // Nothing is shown of a field that can't be computed.
  if (field.hasError) return null
  throw reader.wrong(`"${field.name}" must hold what its formula gives: ${values.cellValueType}`)
}

const isOfKind: Readonly<Record<CellValueType, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string' && isStorable(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  dateTime: (value) => timestampSchema.safeParse(value).success,
}
