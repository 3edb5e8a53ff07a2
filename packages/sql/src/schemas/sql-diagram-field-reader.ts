import type { DiagramField } from '@gateleg/domain/schemas/diagram-field'
import type { DiagramFieldReader } from '@gateleg/domain/schemas/diagram-field-reader'
import { prepared, type QueryBuilder } from '../core/database.ts'
import type { SqlSession } from '../core/session.ts'
import {
  type DiagramFieldRow,
  diagramFieldColumns,
} from '../metadata/tables/diagram-field-table.ts'

/** Of options, which may be long, those of links alone are read. */
function livingFields(db: QueryBuilder) {
  return db
    .selectFrom('fields')
    .select(diagramFieldColumns.except('options').map((name) => `fields.${name}` as const))
    .select((eb) =>
      eb
        .case()
        .when(eb.and([eb('fields.type', '=', 'link'), eb('fields.lookup_options', 'is', null)]))
        .then(eb.ref('fields.options'))
        .end()
        .as('options'),
    )
    .where('fields.deletion_id', 'is', null)
    .orderBy('fields.table_id')
    .orderBy('fields.position')
    .orderBy('fields.created_time')
    .orderBy('fields.id')
}

const ofBase = prepared<{ baseId: string; most: number }, DiagramFieldRow>((db, value) =>
  livingFields(db)
    .innerJoin('tables', 'tables.id', 'fields.table_id')
    .where('tables.base_id', '=', value('baseId'))
    .where('tables.deletion_id', 'is', null)
    .limit(value('most')),
)

const findAll = prepared<{ ids: readonly string[] }, DiagramFieldRow>((db, value, dialect) =>
  livingFields(db).where(dialect.lists.isIn('fields.id', value('ids'))),
)

export class SqlDiagramFieldReader implements DiagramFieldReader {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async listOfBase(baseId: string, most: number): Promise<readonly DiagramField[]> {
    return (await this.#session.all(ofBase, { baseId, most })).map(diagramFieldColumns.toEntity)
  }

  async findAll(ids: readonly string[]): Promise<readonly DiagramField[]> {
    if (ids.length === 0) return []
    return (await this.#session.all(findAll, { ids })).map(diagramFieldColumns.toEntity)
  }
}
