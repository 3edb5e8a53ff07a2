import type { Cell } from '@gateleg/domain/fields/cell'
import type { Field } from '@gateleg/domain/fields/field'
import type { FieldTypeName } from '@gateleg/domain/fields/field-type-name'
import type { StoredRecord } from '@gateleg/domain/records/stored/stored-record'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import type { Store } from '@gateleg/domain/store'
import { makeTable } from '../../factories/make-table.ts'
import { maker, newRecord } from '../../factories/stored-rows.ts'

/** Who changes records in the contracts, and when. */
export const by = { userId: 'usr2', time: '2026-02-03T04:05:06.007Z' }

/** What deletes records in the contracts. */
export const deletion = { operationId: 'opr1', time: '2026-02-03T04:05:06.007Z', userId: 'usr1' }

/** A step of a walk that has all records of a contract's table in it. */
export const everything = { after: 0, take: 10_000 }

/** The range that has all of them in it. */
export const allNumbers = { after: 0, until: 1_000_000 }

/** Makes tables with records in the store of a test, and reads them: what the contracts of records begin with. */
export function storedRecords(store: Store) {
  const listWith = async (schema: TableSchema, withDeleted: boolean) =>
    (await store.read((tx) => tx.recordScanner.next(schema, { ...everything, withDeleted })))
      .records
  return {
    tableWith: (types: readonly FieldTypeName[], settings: Partial<Field> = {}) =>
      makeTable(store, types, settings),
    /** Adds records with the ids rec1, rec2 and so on. Answers their numbers. */
    insert: (schema: TableSchema, rows: readonly (readonly (Cell | null)[])[]) =>
      store.write((tx) =>
        tx.recordWriter.insert(
          schema,
          rows.map((cells, index) => newRecord(`rec${index + 1}`, cells)),
          maker,
        ),
      ),
    markDeleted: (schema: TableSchema, ...recordIds: readonly string[]) =>
      store.write((tx) => tx.recordWriter.markDeleted(schema, recordIds, deletion)),
    list: (schema: TableSchema) => listWith(schema, false),
    /** Deleted records, too. */
    listAll: (schema: TableSchema) => listWith(schema, true),
  }
}

/** The cells of each record. */
export function cellsOf(records: readonly StoredRecord[]): (readonly (Cell | null)[])[] {
  return records.map(({ cells }) => cells)
}

/** Undoes what a run of a property did. */
export class Undo extends Error {}

/** Passes on every failure but an Undo. */
export function onlyUndo(error: unknown): void {
  if (!(error instanceof Undo)) throw error
}
