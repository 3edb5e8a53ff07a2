import type { Digester } from '@gateleg/domain/secrets'
import type { SqlDialect } from '../core/dialect/sql-dialect.ts'
import type { SqlSession } from '../core/session.ts'

/** A table as a storage has it: one of a base, or one of the product's own. */
export interface PhysicalTable {
  /** The base that the table lies in; undefined for the product's own tables. */
  readonly baseId: string | undefined
  /** Its name, without that of the base. */
  readonly name: string
}

/** A column of one of the product's own tables, with the type that the migration says. */
export interface PhysicalColumn {
  readonly name: string
  readonly type: string
}

/** What moving a storage asks of an engine beyond its dialect: what there is, and where numbers stand. */
export interface MovingSide {
  readonly dialect: SqlDialect
  /**
   * Runs a part of the move, whose changes stay when it ends. Nobody else changes anything from the first to the last of
   * them.
   */
  step<T>(work: (session: SqlSession) => Promise<T>): Promise<T>
  /** All tables, in no order. */
  listTables(session: SqlSession): Promise<readonly PhysicalTable[]>
  /** The columns of one of the product's own tables. */
  columnsOf(session: SqlSession, name: string): Promise<readonly PhysicalColumn[]>
  /** The rows that a statement without values finds, part by part; each part takes a bounded part of memory. */
  rowsOf(session: SqlSession, statement: string): AsyncIterable<readonly (readonly unknown[])[]>
  /** The last number that a record of the table got. */
  lastNumber(session: SqlSession, table: NumberedTable): Promise<number>
  /** Has numbers begin after the one given. */
  setLastNumber(session: SqlSession, table: NumberedTable, last: number): Promise<void>
}

/** A table whose records are numbered. */
export interface NumberedTable {
  readonly id: string
  readonly baseId: string
  readonly dbTableName: string
  /** Null where nothing is being rebuilt: what is moved has its own name in the other storage. */
  readonly rebuiltName: null
  /** The name under which the records lie in the storage that they come from. */
  readonly physicalName: string
}

/** What moving needs to know. */
export interface MovingTools {
  /** Makes the digests that both sides are compared by. */
  readonly digester: () => Digester
  /** The instance key that the other storage is to keep; undefined for one that is kept beside it. */
  readonly keptKey: string | undefined
}
