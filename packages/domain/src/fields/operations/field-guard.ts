import type { Guard } from '../../access/guard.ts'
import type { Lock } from '../../access/lock.ts'
import type { Action } from '../../access/roles.ts'
import { notFound } from '../../errors.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import { onTable, type TableScope } from '../../tables/table-guard.ts'
import type { Field } from '../field.ts'

export interface FieldScope extends TableScope {
  readonly schema: TableSchema
  readonly field: Field
}

/** Lets those pass who may take the action on fields of the table; the field is one of it. */
export function onField(
  action: Action,
  lock: Lock = 'none',
): Guard<{ tableId: string; fieldId: string }, FieldScope> {
  const table = onTable(action, lock)
  return {
    requirement: table.requirement,
    enter: async (tx, actor, input) => {
      const { scope } = await table.enter(tx, actor, input)
      const schema = await tx.fields.schemaOf(scope.table)
      const field = schema.byKey.id.get(input.fieldId)?.field
      if (!field) throw notFound('field', input.fieldId)
      return { scope: { ...scope, schema, field }, version: field.version }
    },
  }
}
