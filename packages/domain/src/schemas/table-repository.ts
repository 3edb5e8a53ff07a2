import type { Lock } from '../access/lock.ts'
import type { Timestamp } from '../clock.ts'
import type { Field } from '../fields/field.ts'
import type { SearchIndexChoice, Table } from '../tables/table.ts'
import type { Deleted, DeletedPage, Deletion } from '../trash/deletion.ts'

/** Reads tables and their schemas. */
export interface TableReader {
  /**
   * Those of the tables that there are, in living bases, by id. They are held, in the order of their ids,
   * as the lock says.
   */
  findAll(tableIds: readonly string[], lock: Lock): Promise<readonly Table[]>
  /** The table, in the trash or not, held as the lock says. */
  findOrTrash(tableId: string, lock: Lock): Promise<Table | undefined>
  /** The table, in the trash or not, as long as its base is there and doesn't lie in the trash. */
  findInBase(tableId: string): Promise<Table | undefined>
  /** The living tables of the base, in the order of their nodes' creation, ties by id. */
  listOf(baseId: string): Promise<readonly Table[]>
  /** The tables of the base that lie in its trash, by id: a page. */
  deletedIn(baseId: string, page: DeletedPage): Promise<readonly Deleted<Table>[]>
  /** The tables of the base that fields of tables in other bases read, by id. */
  readFromOutside(baseId: string): Promise<readonly string[]>
  /**
   * The names of the base's tables that fields link with tables of other bases, one way or the other. Tables and fields that
   * are deleted count, as long as they can come back.
   */
  linkedAcross(baseId: string): Promise<readonly string[]>
  /** The tables of the base that read tables in other bases, by id. */
  readingOutside(baseId: string): Promise<readonly string[]>
  /**
   * At most so many of the tables after one, by id, that have a living field of one of the types and lie in
   * a base in which the user has a role, or had one when their account ended.
   */
  listShowing(
    userId: string,
    page: {
      readonly after: string
      readonly take: number
      readonly fieldTypes: readonly string[]
    },
  ): Promise<readonly Table[]>
  /** The physical names of all tables of the base in lower case, deleted ones included. */
  takenDbTableNames(baseId: string): Promise<ReadonlySet<string>>
}

/** The settings of a table that its own operations change. */
export type TableSettings = Pick<Table, 'name' | 'description' | 'icon'>

/** Keeps tables, and the tags of their schemas. */
export interface TableRepository extends TableReader {
  /**
   * Adds the table with its fields and an empty physical table that has a column for each of them;
   * `conflict` when the id of a field is taken, by a deleted one too.
   */
  insert(table: Table, fields: readonly Field[]): Promise<void>
  /** Replaces the settings; the version grows by one. Returns the table as it is now. */
  update(tableId: string, settings: TableSettings, time: Timestamp): Promise<Table>
  /** Notes that the fields changed: a new tag, and the version grows by one. */
  changeSchema(tableId: string, schemaTag: string, time: Timestamp): Promise<Table>
  /** Gives the table a new tag: what its fields mean to others changed, not the fields. The version stays. */
  renewSchema(tableId: string, schemaTag: string): Promise<Table>
  /** Notes whether searches of the table are to have an index. The version stays. */
  chooseSearchIndex(tableId: string, choice: SearchIndexChoice): Promise<void>
  markDeleted(tableId: string, deletion: Deletion): Promise<void>
  /** Takes the mark of its deletion away, under a name. Returns the table as it is now; its version stays. */
  restore(tableId: string, name: string): Promise<Table>
  /** Removes the table, living or deleted, with its fields, views, records and links, for good. */
  deletePermanently(table: Table): Promise<void>
}
