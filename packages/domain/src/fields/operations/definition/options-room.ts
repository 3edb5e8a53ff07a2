import { type Issue, invalidAt } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import type { TableSchema } from '../../../schemas/table-schema.ts'
import type { Field } from '../../field.ts'

type Settings = Pick<Field, 'options' | 'description' | 'aiConfig' | 'lookupOptions' | 'result'>

// A field never changes: another state of it is another object.
const weights = new WeakMap<object, number>()

/** Characters of all that a field says of itself, as JSON: its options, what it reads, its description. */
export function settingsLength(field: Settings): number {
  const known = weights.get(field)
  if (known !== undefined) return known
  const { options, description, aiConfig, lookupOptions, result } = field
  const weight = JSON.stringify([options, description, aiConfig, lookupOptions, result]).length
  weights.set(field, weight)
  return weight
}

/**
 * Characters that the settings of one field may have beside those of the other fields; can be negative. One of
 * these may be about to change as well: it counts as it is to be.
 */
export function roomBeside(schema: TableSchema, fieldId: string, changing?: Field): number {
  let room: number = limits.tableOptionsLength
  for (const { field } of schema.fields) {
    if (field.id === fieldId) continue
    room -= settingsLength(field.id === changing?.id ? changing : field)
  }
  return room
}

/** Whether the field has room as it is to be. What takes no more than before always has. */
function hasOptionsRoom(
  schema: TableSchema,
  before: Field,
  after: Field,
  changing?: Field,
): boolean {
  const length = settingsLength(after)
  return length <= settingsLength(before) || length <= roomBeside(schema, after.id, changing)
}

/**
 * Throws validation_error where the field would have the table's settings grow beyond their limit, beside
 * another field of it that is about to change as well.
 */
export function requireOptionsRoom(
  schema: TableSchema,
  before: Field,
  after: Field,
  member: 'options' | 'description',
  changing?: Field,
): void {
  if (!hasOptionsRoom(schema, before, after, changing)) throw invalidAt([member], noOptionsRoom())
}

/**
 * Throws validation_error where new fields would have the table's settings grow beyond their limit.
 * `pathOf` tells where the options of the new field at an index stand in the request.
 */
export function requireOptionsRoomForNew(
  existing: readonly Field[],
  added: readonly Field[],
  pathOf: (index: number, ...members: readonly string[]) => Issue['path'],
): void {
  let length = existing.reduce((sum, field) => sum + settingsLength(field), 0)
  // Ends with the first one too many: the rest could be any amount.
  added.forEach((field, index) => {
    length += settingsLength(field)
    if (length > limits.tableOptionsLength) {
      throw invalidAt(pathOf(index, 'options'), noOptionsRoom())
    }
  })
}

/**
 * Throws validation_error where longer settings of fields would have those of all fields of a table together grow beyond their
 * limit.
 */
export function requireRoomForLonger(before: readonly Field[], after: readonly Field[]): void {
  const length = lengthOf(after)
  if (length > lengthOf(before) && length > limits.tableOptionsLength) {
    throw invalidAt(['options'], noOptionsRoom())
  }
}

function lengthOf(fields: readonly Field[]): number {
  return fields.reduce((sum, field) => sum + settingsLength(field), 0)
}

/** What to say where there is no room. */
export function noOptionsRoom(): string {
  return `the options and descriptions of all fields of a table have ${limits.tableOptionsLength} characters at most`
}
