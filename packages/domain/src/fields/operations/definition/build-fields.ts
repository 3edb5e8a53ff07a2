import type { Timestamp } from '../../../clock.ts'
import { type Issue, invalidAt } from '../../../errors.ts'
import type { Ids } from '../../../ids.ts'
import { limits } from '../../../limits.ts'
import type { ReadTx } from '../../../store.ts'
import { columnOf } from '../../column-of.ts'
import type { Field } from '../../field.ts'
import { hasColumn } from '../../field-values.ts'
import type { CheckedDefinition } from './field-definition.ts'
import { FieldNamer, type TakenNames } from './field-namer.ts'

/** Who makes the fields, when, and for which table. */
export interface Placement {
  readonly tableId: string
  readonly userId: string
  readonly now: Timestamp
  readonly ids: Ids
  readonly pathOf: DefinitionPath
}

/** A definition with the name that the field has when its creator gave none. */
export interface NamedDefinition extends CheckedDefinition {
  readonly defaultName: string
}

/** What lookups show of their link, until it is known. */
export const unreadLink = {
  relationship: 'manyMany',
  fkHostTableName: '',
  selfKeyName: '',
  foreignKeyName: '',
} as const

/** Where a member of the definition of a new field stands in the request. */
export type DefinitionPath = (index: number, ...members: Issue['path']) => Issue['path']

/** Where it stands when the request is about one field alone. */
export const onlyDefinition: DefinitionPath = (_index, ...members) => members

/**
 * Turns checked definitions into fields of a table: names are numbered where they are taken, columns
 * derived where they are not given. The first one is the primary field when the table has none yet.
 * Throws validation_error for a column name that is taken, or for too many fields. Whether there is room for their columns is
 * seen by `requireColumnRoom`.
 */
export async function buildFields(
  checked: readonly NamedDefinition[],
  neighbours: TakenNames,
  placement: Placement,
): Promise<Field[]> {
  const { pathOf } = placement
  requireRoom(neighbours, checked.length)
  const namer = new FieldNamer(neighbours, checked)
  const fields: Field[] = []
  for (const [index, { definition, type, options, defaultName }] of checked.entries()) {
    const isPrimary = neighbours.count === 0 && index === 0
    const { isLookup = false } = definition
    if (isPrimary && (isLookup || !type.canBePrimary)) {
      const what = isLookup ? 'a lookup' : `of type "${type.name}"`
      const message = `the first field is the primary field, which can't be ${what}`
      throw invalidAt(pathOf(index, 'type'), message)
    }
    const name = namer.nameOf(definition.name, defaultName)
    const given = definition.dbFieldName
    if (given !== undefined && namer.isTakenColumn(given)) {
      const message = `the column name "${given}" is taken in this table`
      throw invalidAt(pathOf(index, 'dbFieldName'), message)
    }
    const dbFieldName = await namer.dbFieldNameOf(given, name)
    const shape = { type: type.name, options, isLookup, result: null }
    const columnName = hasColumn(shape) ? namer.columnNameOf(dbFieldName) : null
    fields.push({
      id: definition.id ?? placement.ids.next('field'),
      tableId: placement.tableId,
      name,
      ...shape,
      lookupOptions: definition.lookupOptions
        ? { ...unreadLink, ...definition.lookupOptions }
        : null,
      hasError: false,
      isPending: false,
      description: definition.description ?? null,
      isPrimary,
      unique: definition.unique ?? false,
      notNull: definition.notNull ?? false,
      aiConfig: definition.aiConfig ?? null,
      dbFieldName,
      columnName,
      order: neighbours.lastOrder + 1 + index,
      createdBy: placement.userId,
      createdTime: placement.now,
      version: 1,
    })
  }
  return fields
}

function requireRoom({ count }: TakenNames, added: number): void {
  if (count + added > limits.fieldsPerTable) {
    throw invalidAt([], `a table has ${limits.fieldsPerTable} fields at most`)
  }
}

/**
 * Throws validation_error where the table has no room for the columns of new fields. Those of fields that were deleted for
 * good take none once they are empty: they are given to new fields of their type.
 */
export async function requireColumnRoom(
  tx: Pick<ReadTx, 'fields'>,
  { columnCount }: Pick<TakenNames, 'columnCount'>,
  tableId: string,
  fields: readonly Field[],
): Promise<void> {
  const columns = fields.flatMap((field) => columnOf(field) ?? [])
  if (columnCount + columns.length <= limits.columnsPerTable) return
  const missing = await tx.fields.missingColumns(tableId, columns)
  if (columnCount + missing.length <= limits.columnsPerTable) return
  const message =
    'the table has too many columns, with those of deleted fields: discard these from the trash, or duplicate the table, the copy has room again'
  throw invalidAt([], message)
}
