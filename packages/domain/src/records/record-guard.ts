import type { Guard } from '../access/guard.ts'
import type { Lock } from '../access/lock.ts'
import type { Action } from '../access/roles.ts'
import { notFound } from '../errors.ts'
import type { TableSchema } from '../schemas/table-schema.ts'
import { onTable, type TableScope } from '../tables/table-guard.ts'
import type { StoredRecord } from './stored/stored-record.ts'

/**
 * Lets those pass who may write records of the table, whose fields stay as they are meanwhile. Values
 * that are read leniently may add choices to fields: then the table is held alone from the beginning,
 * because of two who share it, neither could go on to change it.
 */
export function onWrittenTable(
  action: Action,
): Guard<{ tableId: string; typecast?: boolean }, TableScope> {
  const strict = onTable(action, 'share')
  const lenient = onTable(action, 'update')
  return {
    requirement: strict.requirement,
    enter: (tx, actor, input) => (input.typecast ? lenient : strict).enter(tx, actor, input),
  }
}

/** The result of a guard for a call that names a record. */
export interface RecordScope extends TableScope {
  readonly schema: TableSchema
  readonly record: StoredRecord
}

/**
 * Lets those pass who may take the action on records of the table that the input names; the record is
 * one of it. The lock is taken on the record; the fields of its table stay as they are meanwhile.
 */
export function onRecord(
  action: Action,
  lock: Lock = 'none',
): Guard<{ tableId: string; recordId: string; typecast?: boolean }, RecordScope> {
  const table = lock === 'none' ? onTable(action) : onWrittenTable(action)
  return {
    requirement: table.requirement,
    enter: async (tx, actor, input) => {
      const entering = table.enter(tx, actor, input)
      // Lenient values may have the table held alone: then nothing of it is asked for before.
      if (!input.typecast) tx.records.readAhead(input.tableId, input.recordId, lock)
      const { scope } = await entering
      const schema = await tx.fields.schemaOf(scope.table)
      const record = await tx.records.find(schema, input.recordId, lock)
      if (!record) throw notFound('record', input.recordId)
      return { scope: { ...scope, schema, record }, version: record.version }
    },
  }
}
