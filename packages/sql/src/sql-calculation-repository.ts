import type {
  CalculationRepository,
  PendingField,
} from '@gateleg/domain/calculations/calculation-repository'
import { prepared } from './database.ts'
import type { CalculationRow } from './schema.ts'
import type { SqlSession } from './session.ts'

const listOf = prepared<{ tableIds: readonly string[] }, CalculationRow>((db, value, dialect) =>
  db
    .selectFrom('calculations')
    .selectAll()
    .where(dialect.isIn('table_id', value('tableIds')))
    .orderBy('field_id'),
)

const advance = prepared<{ fieldIds: readonly string[]; after: number; until: number }, unknown>(
  (db, value, dialect) =>
    db
      .updateTable('calculations')
      .set({ after_number: value('after'), until_number: value('until') })
      .where(dialect.isIn('field_id', value('fieldIds'))),
)

const remove = prepared<{ fieldIds: readonly string[] }, unknown>((db, value, dialect) =>
  db.deleteFrom('calculations').where(dialect.isIn('field_id', value('fieldIds'))),
)

export class SqlCalculationRepository implements CalculationRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async listOf(tableIds: readonly string[]): Promise<readonly PendingField[]> {
    if (tableIds.length === 0) return []
    const rows = await this.#session.all(listOf, { tableIds })
    return rows.map((row) => ({
      fieldId: row.field_id,
      tableId: row.table_id,
      after: row.after_number,
      until: row.until_number,
    }))
  }

  async schedule(fields: readonly PendingField[]): Promise<void> {
    if (fields.length === 0) return
    const rows = fields.map(({ fieldId, tableId, after, until }) => ({
      field_id: fieldId,
      table_id: tableId,
      after_number: after,
      until_number: until,
    }))
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

  async advance(
    fieldIds: readonly string[],
    { after, until }: Pick<PendingField, 'after' | 'until'>,
  ): Promise<void> {
    await this.#session.run(advance, { fieldIds, after, until })
  }

  async remove(fieldIds: readonly string[]): Promise<void> {
    if (fieldIds.length > 0) await this.#session.run(remove, { fieldIds })
  }
}
