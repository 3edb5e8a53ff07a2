import type { Timestamp } from '../clock.ts'

/** What people can choose of the index of searches of a table. */
export const searchIndexChoices = ['on', 'off'] as const

/** Whether searches of a table are to have an index. */
export type SearchIndexChoice = (typeof searchIndexChoices)[number]

/** A table: fields, records and views under one name. */
export interface Table {
  readonly id: string
  readonly baseId: string
  readonly name: string
  /** The name of the physical table, unique in the base; shown after the base's id and a dot. */
  readonly dbTableName: string
  /** The name that the physical table has while one that was rebuilt takes the place of another; null otherwise. */
  readonly rebuiltName: string | null
  readonly description: string | null
  readonly icon: string | null
  /** Counts the changes of the table's own settings and of its fields, not of its records. */
  readonly version: number
  /** Differs after every change of the fields; two equal tags mean two equal schemas. */
  readonly schemaTag: string
  /** What people chose of the index of searches; null where what is asked of the table decides. */
  readonly searchIndex: SearchIndexChoice | null
  readonly createdBy: string
  readonly createdTime: Timestamp
  readonly lastModifiedTime: Timestamp
}

/** The name under which the records of a table lie now. */
export function physicalNameOf({
  dbTableName,
  rebuiltName,
}: Pick<Table, 'dbTableName' | 'rebuiltName'>): string {
  return rebuiltName ?? dbTableName
}

/** Where the records of a table lie. */
export function placeOfRecords(table: Pick<Table, 'baseId' | 'dbTableName' | 'rebuiltName'>): {
  readonly baseId: string
  readonly physicalName: string
} {
  return { baseId: table.baseId, physicalName: physicalNameOf(table) }
}
