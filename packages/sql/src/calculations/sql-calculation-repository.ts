import type {
  CalculationRepository,
  PendingConversion,
  PendingField,
} from '@gateleg/domain/calculations/pending/calculation-repository'
import type { NumberRange } from '@gateleg/domain/records/stored/number-range'
import { prepared } from '../core/database.ts'
import type { SqlSession } from '../core/session.ts'
import type { ConversionRow } from '../metadata/database-schema.ts'
import { type CalculationRow, calculationColumns } from '../metadata/tables/calculation-table.ts'

const listOf = prepared<{ tableIds: readonly string[] }, CalculationRow>((db, value, dialect) =>
  db
    .selectFrom('calculations')
    .selectAll()
    .where(dialect.lists.isIn('table_id', value('tableIds')))
    .orderBy('field_id'),
)

const advance = prepared<{ fieldIds: readonly string[]; after: number; until: number }, unknown>(
  (db, value, dialect) =>
    db
      .updateTable('calculations')
      .set({ after_number: value('after'), until_number: value('until') })
      .where(dialect.lists.isIn('field_id', value('fieldIds'))),
)

const removals = (['calculations', 'conversions', 'written_cells'] as const).map((table) =>
  prepared<{ fieldIds: readonly string[] }, unknown>((db, value, dialect) =>
    db.deleteFrom(table).where(dialect.lists.isIn('field_id', value('fieldIds'))),
  ),
)

const conversionsOf = prepared<{ tableId: string }, ConversionRow>((db, value) =>
  db
    .selectFrom('conversions')
    .selectAll()
    .where('table_id', '=', value('tableId'))
    .orderBy('field_id'),
)

const written = prepared<{ fieldId: string } & NumberRange, { record_number: number }>(
  (db, value) =>
    db
      .selectFrom('written_cells')
      .select('record_number')
      .where('field_id', '=', value('fieldId'))
      .where('record_number', '>', value('after'))
      .where('record_number', '<=', value('until')),
)

/** Cells that one statement notes: its values are few enough for every engine. */
const cellsPerStatement = 1_000

export class SqlCalculationRepository implements CalculationRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async listOf(tableIds: readonly string[]): Promise<readonly PendingField[]> {
    if (tableIds.length === 0) return []
    const rows = await this.#session.all(listOf, { tableIds })
    return rows.map(calculationColumns.toEntity)
  }

  async schedule(fields: readonly PendingField[]): Promise<void> {
    if (fields.length === 0) return
    const rows = fields.map((field) => calculationColumns.toRow(field))
    await this.#session.runOnce(
      this.#session.db
        .insertInto('calculations')
        .values(rows)
        .onConflict((conflict) =>
          conflict.column('field_id').doUpdateSet((eb) => ({
            table_id: eb.ref('excluded.table_id'),
            after_number: eb
              .case()
              .when('excluded.after_number', '<', eb.ref('calculations.after_number'))
              .then(eb.ref('excluded.after_number'))
              .else(eb.ref('calculations.after_number'))
              .end(),
            until_number: eb
              .case()
              .when('excluded.until_number', '>', eb.ref('calculations.until_number'))
              .then(eb.ref('excluded.until_number'))
              .else(eb.ref('calculations.until_number'))
              .end(),
          })),
        ),
    )
  }

  async conversionsOf(tableId: string): Promise<readonly PendingConversion[]> {
    const rows = await this.#session.all(conversionsOf, { tableId })
    return rows.map((row) => ({
      fieldId: row.field_id,
      ...(JSON.parse(row.source) as Omit<PendingConversion, 'fieldId'>),
    }))
  }

  async scheduleConversion(conversion: PendingConversion, until: number): Promise<void> {
    const { fieldId, ...told } = conversion
    const { tableId } = told.source
    await this.remove([fieldId])
    await this.schedule([{ fieldId, tableId, after: 0, until }])
    const row = { field_id: fieldId, table_id: tableId, source: JSON.stringify(told) }
    await this.#session.runOnce(this.#session.db.insertInto('conversions').values(row))
  }

  async noteWritten(fieldIds: readonly string[], numbers: readonly number[]): Promise<void> {
    const rows = fieldIds.flatMap((fieldId) =>
      numbers.map((number) => ({ field_id: fieldId, record_number: number })),
    )
    for (let start = 0; start < rows.length; start += cellsPerStatement) {
      await this.#session.runOnce(
        this.#session.db
          .insertInto('written_cells')
          .values(rows.slice(start, start + cellsPerStatement))
          .onConflict((conflict) => conflict.doNothing()),
      )
    }
  }

  async written(fieldId: string, range: NumberRange): Promise<ReadonlySet<number>> {
    const rows = await this.#session.all(written, { fieldId, ...range })
    return new Set(rows.map((row) => row.record_number))
  }

  async advance(
    fieldIds: readonly string[],
    { after, until }: Pick<PendingField, 'after' | 'until'>,
  ): Promise<void> {
    await this.#session.run(advance, { fieldIds, after, until })
  }

  async remove(fieldIds: readonly string[]): Promise<void> {
    if (fieldIds.length === 0) return
    for (const removal of removals) await this.#session.run(removal, { fieldIds })
  }
}
