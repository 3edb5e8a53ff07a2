import type { Cell } from '@gateleg/domain/fields/cell'
import type { ColumnRepository } from '@gateleg/domain/records/reading/column-repository'
import type { NumberRange } from '@gateleg/domain/records/stored/number-range'
import type { PhysicalColumn } from '@gateleg/domain/schemas/field-repository'
import type { Column, TableSchema } from '@gateleg/domain/schemas/table-schema'
import { refuseAsInvalid } from '../core/refuse-as-invalid.ts'
import type { SqlSession } from '../core/session.ts'
import { encodeCell } from '../record-tables/stored-cells.ts'
import { noteChangedRanges } from '../signatures/note-changes.ts'
import { ColumnStatements, replacementColumns } from './column-statements.ts'
import { refusals } from './refusals.ts'
import { tellBytes } from './tell-bytes.ts'

export class SqlColumnRepository implements ColumnRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async hasRepeats(schema: TableSchema, column: Column): Promise<boolean> {
    const sql = this.#statements(schema).hasRepeats(column)
    return (await this.#session.connection.rows(sql, [])).length > 0
  }

  async hasEmpty(schema: TableSchema, column: Column): Promise<boolean> {
    const sql = this.#statements(schema).hasEmpty(column)
    return (await this.#session.connection.rows(sql, [])).length > 0
  }

  async bytesOf(schema: TableSchema, column: Column): Promise<number> {
    const [row] = await this.#session.connection.rows(this.#statements(schema).bytesOf(column), [])
    return Number(row?.[0] ?? 0)
  }

  async replaceTexts(
    schema: TableSchema,
    column: Column,
    replacements: ReadonlyMap<string, string | null>,
    { after, until }: NumberRange,
  ): Promise<readonly string[]> {
    if (replacements.size === 0) return []
    const { connection, dialect } = this.#session
    const values = dialect.rows.bind(replacementColumns, [...replacements])
    const sql = this.#statements(schema).replaceTexts(column, replacements.size)
    const bound = [...values, after, until]
    await this.#willRewriteRange(schema, { after, until })
    const rows = await refuseAsInvalid(refusals, () => connection.rows(sql, bound))
    return rows.flatMap(([id, deletionId]) => (deletionId === null ? [id as string] : []))
  }

  async copy(
    schema: TableSchema,
    from: Column,
    to: Column,
    { after, until }: NumberRange,
  ): Promise<void> {
    await this.#willRewriteRange(schema, { after, until })
    const sql = this.#statements(schema).copy(from, to)
    await refuseAsInvalid(refusals, () => this.#session.connection.run(sql, [after, until]))
  }

  async touch(
    schema: TableSchema,
    column: PhysicalColumn,
    { after, until }: NumberRange,
  ): Promise<void> {
    await this.#willRewriteRange(schema, { after, until }, [column])
    const sql = this.#statements(schema).touch(column)
    await this.#session.connection.run(sql, [after, until])
  }

  async empty(
    schema: TableSchema,
    columns: readonly PhysicalColumn[],
    { after, until }: NumberRange,
  ): Promise<void> {
    await this.#willRewriteRange(schema, { after, until }, columns)
    const sql = this.#statements(schema).empty(columns)
    await this.#session.connection.run(sql, [after, until])
  }

  async fill(
    schema: TableSchema,
    column: Column,
    value: Cell,
    { after, until }: NumberRange,
  ): Promise<void> {
    await this.#willRewriteRange(schema, { after, until })
    const sql = this.#statements(schema).fill(column)
    const values = [encodeCell(value, column.type), after, until]
    await refuseAsInvalid(refusals, () => this.#session.connection.run(sql, values))
  }

  async #willRewriteRange(
    schema: TableSchema,
    { after, until }: NumberRange,
    retired?: readonly PhysicalColumn[],
  ): Promise<void> {
    const { tableId, notesChanges } = schema
    if (notesChanges) await noteChangedRanges(this.#session, tableId, [[after + 1, until]])
    const bytes = () => this.#statements(schema).bytesInRange(retired)
    await tellBytes(this.#session, bytes, [after, until])
  }

  #statements(schema: TableSchema): ColumnStatements {
    return new ColumnStatements(schema, this.#session.dialect)
  }
}
